// Making elements. No markup strings from outside ever reach the page: text goes in as text.

const SVG = 'http://www.w3.org/2000/svg';

/** @typedef {Node | string | number | false | null | undefined} Child */
/** @typedef {{[name: string]: any}} Attributes `on…` are listeners, `class` and the rest attributes; false and null are left out */

/** @param {Element} element @param {Attributes} attributes @param {Child[]} children */
function dress(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
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

/** Replaces what is in `parent`, keeping the keyboard focus on the element with the same data-focus. @param {Element} parent @param {...Child} children */
export function fill(parent, ...children) {
  const active = document.activeElement;
  const mark = active instanceof HTMLElement && parent.contains(active) ? active.dataset.focus : undefined;
  parent.replaceChildren();
  dress(parent, {}, children);
  if (mark === undefined) return;
  const again = parent.querySelector(`[data-focus="${CSS.escape(mark)}"]`);
  if (again instanceof HTMLElement) again.focus();
}
