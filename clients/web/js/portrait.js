// A drawing as a file: SVG with its colours in it, or PNG. The style sheets and the policy of the page stay where they are, so the
// colours are written into the SVG, and the PNG is painted shape by shape.

import { el } from './dom.js';

const NAMES = [
  'fill', 'fill-opacity', 'fill-rule', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-linejoin', 'stroke-linecap',
  'stroke-dasharray', 'paint-order', 'font-family', 'font-size', 'font-weight', 'text-anchor',
];
/** @type {{[anchor: string]: CanvasTextAlign}} */
const ANCHORS = { middle: 'center', end: 'right' };
const SIZE_MOST = 2000; // pixels of the longer side

/** @param {SVGSVGElement} drawing with a viewBox @returns {{width: number, height: number}} in pixels of the file */
function sizeOf(drawing) {
  const { width, height } = drawing.viewBox.baseVal;
  const scale = SIZE_MOST / Math.max(width, height);
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/**
 * Does something with a drawing while it is in the document, where it has its styles, but not on the screen.
 * @template T @param {SVGSVGElement} drawing @param {() => T} act @returns {T}
 */
function dressed(drawing, act) {
  const { width, height } = sizeOf(drawing);
  drawing.setAttribute('width', String(width));
  drawing.setAttribute('height', String(height));
  const away = el('div', { class: 'visually-hidden', 'aria-hidden': 'true' }, drawing);
  document.body.append(away);
  try {
    return act();
  } finally {
    away.remove();
  }
}

/** @param {SVGSVGElement} drawing @returns {string} a file of its own */
export const asSvg = (drawing) =>
  dressed(drawing, () => {
    const copy = /** @type {SVGSVGElement} */ (drawing.cloneNode(true));
    const copies = copy.querySelectorAll('*');
    drawing.querySelectorAll('*').forEach((element, i) => {
      copies[i].removeAttribute('class');
      if (!isShape(element)) return;
      const style = getComputedStyle(element);
      for (const name of NAMES) copies[i].setAttribute(name, style.getPropertyValue(name));
    });
    return new XMLSerializer().serializeToString(copy);
  });

/** @param {Element} element */
const isShape = (element) => ['path', 'ellipse', 'circle', 'rect', 'text'].includes(element.localName);

/** @param {Element} element @returns {Path2D} */
function outlineOf(element) {
  const at = (/** @type {string} */ name) => Number(element.getAttribute(name) ?? 0);
  const path = new Path2D(element.localName === 'path' ? (element.getAttribute('d') ?? '') : '');
  if (element.localName === 'ellipse') path.ellipse(at('cx'), at('cy'), at('rx'), at('ry'), 0, 0, 2 * Math.PI);
  if (element.localName === 'circle') path.arc(at('cx'), at('cy'), at('r'), 0, 2 * Math.PI);
  if (element.localName === 'rect') path.rect(at('x'), at('y'), at('width'), at('height'));
  return path;
}

/** @param {CanvasRenderingContext2D} canvas @param {SVGGraphicsElement} element */
function paint(canvas, element) {
  const style = getComputedStyle(element);
  const matrix = element.getCTM();
  if (!matrix) return;
  canvas.setTransform(matrix);
  canvas.lineWidth = parseFloat(style.strokeWidth);
  canvas.lineJoin = /** @type {CanvasLineJoin} */ (style.strokeLinejoin);
  canvas.lineCap = /** @type {CanvasLineCap} */ (style.strokeLinecap);
  canvas.setLineDash(style.strokeDasharray === 'none' ? [] : style.strokeDasharray.split(',').map(parseFloat));
  canvas.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  canvas.textAlign = ANCHORS[style.textAnchor] ?? 'left';
  const text = element.localName === 'text' ? (element.textContent ?? '') : '';
  const [x, y] = ['x', 'y'].map((name) => Number(element.getAttribute(name) ?? 0));
  const path = outlineOf(element);
  const fill = () => {
    if (style.fill === 'none') return;
    canvas.fillStyle = style.fill;
    canvas.globalAlpha = Number(style.fillOpacity);
    if (text) canvas.fillText(text, x, y);
    else canvas.fill(path, /** @type {CanvasFillRule} */ (style.fillRule));
  };
  const stroke = () => {
    if (style.stroke === 'none') return;
    canvas.strokeStyle = style.stroke;
    canvas.globalAlpha = Number(style.strokeOpacity);
    if (text) canvas.strokeText(text, x, y);
    else canvas.stroke(path);
  };
  const order = style.paintOrder.startsWith('stroke') ? [stroke, fill] : [fill, stroke];
  for (const step of order) step();
}

/** @param {SVGSVGElement} drawing @returns {Promise<Blob>} */
export async function asPng(drawing) {
  const board = el('canvas', sizeOf(drawing));
  dressed(drawing, () => {
    const canvas = board.getContext('2d');
    if (!canvas) return;
    for (const element of drawing.querySelectorAll('*')) if (isShape(element)) paint(canvas, /** @type {SVGGraphicsElement} */ (element));
  });
  return new Promise((resolve, reject) => {
    board.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png');
  });
}
