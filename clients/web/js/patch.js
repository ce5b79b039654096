// RFC 7396 merge patches on plain objects, leaving the old value untouched and sharing what did not change.

/** @typedef {{[name: string]: any}} Tree */

/** @param {unknown} value @returns {value is Tree} */
const isTree = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @template T @param {T} target @param {unknown} patch @returns {any} */
export function merged(target, patch) {
  if (!isTree(patch)) return patch;
  /** @type {Tree} */
  const result = isTree(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = merged(result[name], value);
  }
  return result;
}
