// What a screen reader is made to read by itself: what changes in live regions.

/**
 * While the words of an element change twice, as by seconds that run: what was read.
 * @param {any} page @param {string} selector @returns {Promise<string[]>}
 */
export const readMeanwhile = (page, selector) =>
  page.evaluate((wanted) => {
    const LIVE = '[role=status], [role=alert], [role=log], [aria-live]:not([aria-live=off])';
    const words = () => document.querySelector(wanted)?.textContent;
    const read = [];
    let [seen, changes] = [words(), 0];
    return new Promise((resolve) => {
      const observer = new MutationObserver((records) => {
        for (const node of records.flatMap(({ target, addedNodes }) => [target, ...addedNodes])) {
          const region = (node instanceof Element ? node : node.parentElement)?.closest(LIVE);
          if (region) read.push(region.textContent);
        }
        if (words() !== seen) changes++;
        seen = words();
        if (changes < 2) return;
        observer.disconnect();
        resolve(read);
      });
      observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    });
  }, selector);
