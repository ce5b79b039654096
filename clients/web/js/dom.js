// Creates and updates elements. Text from outside is inserted as text, never as markup.

const SVG = 'http://www.w3.org/2000/svg';

/** @typedef {Node | string | number | false | null | undefined} Child */
/** @typedef {{[name: string]: any}} Attributes `on…` are listeners, `class` and the rest attributes; false and null are left out */

/** @param {Element} element @param {Attributes} attributes @param {Child[]} children */
function dress(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith('on')) /** @type {any} */ (element)[name] = value;
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children) {
    if (child === false || child === null || child === undefined) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Attributes} [attributes] @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  dress(element, attributes, children);
  return element;
}

/**
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag @param {Attributes} [attributes] @param {...Child} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = /** @type {any} */ (document.createElementNS(SVG, tag));
  dress(element, attributes, children);
  return element;
}

/** A drawing as a small picture in text. @param {Node} drawing @param {string} viewBox @param {string} [className] */
export function icon(drawing, viewBox, className = '') {
  return svg('svg', { class: `icon ${className}`, viewBox, 'aria-hidden': 'true', focusable: 'false' }, drawing);
}

const HANDLERS = /** @type {const} */ (['onclick', 'onchange', 'oninput', 'onsubmit']);

/** The key that distinguishes an element from its siblings of the same kind. @param {Node} node */
const markOf = (node) => (node instanceof HTMLElement ? (node.dataset.focus ?? node.dataset.room) : undefined);

/** @param {Node} node the first of its classes, which says what it is; the others say how it is */
const kindOf = (node) => (node instanceof Element ? node.getAttribute('class')?.split(' ')[0] : undefined);

/** Whether one can become the other. @param {Node} a @param {Node} b */
const alike = (a, b) => a.nodeName === b.nodeName && markOf(a) === markOf(b) && kindOf(a) === kindOf(b);

/** Makes an element look and do as another. @param {Element} old @param {Element} fresh */
function renewAttributes(old, fresh) {
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) === value) continue;
    // the policy forbids style attributes, not styles
    if (name === 'style' && old instanceof HTMLElement && fresh instanceof HTMLElement)
      old.style.cssText = fresh.style.cssText;
    else old.setAttribute(name, value);
  }
  if (!(fresh instanceof HTMLElement)) return;
  for (const handler of HANDLERS) /** @type {any} */ (old)[handler] = fresh[handler];
}

/** @param {Node} old @param {Node} fresh that is alike */
function renew(old, fresh) {
  if (old === fresh) return;
  if (old instanceof Element && fresh instanceof Element) {
    if (old instanceof SVGElement && old.isEqualNode(fresh)) return;
    renewAttributes(old, fresh);
    renewChildren(old, [...fresh.childNodes]);
  } else if (old.nodeValue !== fresh.nodeValue) {
    old.nodeValue = fresh.nodeValue;
  }
}

/** @param {Element} parent @param {Node[]} children that it shall have; what is alike already stays and is renewed */
function renewChildren(parent, children) {
  let old = parent.firstChild;
  for (const child of children) {
    let found = child.parentNode === parent ? child : old;
    while (found && found !== child && !alike(found, child)) found = found.nextSibling;
    if (!found) {
      parent.insertBefore(child, old);
      continue;
    }
    while (old && old !== found) old = removed(old);
    renew(found, child);
    old = found.nextSibling;
  }
  while (old) old = removed(old);
}

/** @param {ChildNode} node @returns its next sibling */
function removed(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}

/**
 * Shows `children` in `parent`. An element that is there already and alike is kept, so that a press
 * on it is not interrupted and focus and scrolling stay; so do not keep references to the given
 * elements, but for one that is given again each time and has no siblings of its kind: it stays as it is. A focus that would be lost
 * goes to the element with the same data-focus.
 * @param {Element} parent @param {...Child} children
 */
export function fill(parent, ...children) {
  const active = document.activeElement;
  const mark = active instanceof HTMLElement && parent.contains(active) ? active.dataset.focus : undefined;
  const shown = children.filter((child) => child !== false && child !== null && child !== undefined);
  renewChildren(parent, shown.map((child) => (child instanceof Node ? child : new Text(String(child)))));
  if (mark === undefined || document.activeElement === active) return;
  const again = parent.querySelector(`[data-focus="${CSS.escape(mark)}"]`);
  if (again instanceof HTMLElement) again.focus();
}
