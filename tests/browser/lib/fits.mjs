// What does not fit on a page: parts that stick out, words that are cut off or torn, buttons that are too small for a finger or out
// of sight.

/** What does not fit, in words. @param {any} page @param {number} tap */
export const faults = (page, tap) =>
  page.evaluate((tap) => {
    const found = [];
    const shown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length;
    const name = (element) =>
      `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''} "${(element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 40)}"`;
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > innerWidth) found.push(`the page is ${scrollWidth - innerWidth} pixels too wide`);
    for (const element of document.querySelectorAll('button, a.button, .brand, select, summary, input[type=text]')) {
      if (!shown(element)) continue;
      const { width, height } = element.getBoundingClientRect();
      if (width < tap - 0.5 || height < tap - 0.5) found.push(`small: ${name(element)} ${width} × ${height}`);
    }
    for (const element of document.querySelectorAll(
      'button, a, p, h1, h2, b, strong, small, summary, th, td, label, .name',
    )) {
      if (!shown(element) || element.closest('.visually-hidden, .skip, svg')) continue;
      if (getComputedStyle(element).clipPath !== 'none') continue;
      if (
        element.scrollWidth > element.clientWidth + 1 &&
        element.clientWidth > 0 &&
        getComputedStyle(element).display !== 'inline'
      )
        found.push(`cut off: ${name(element)} ${element.scrollWidth} > ${element.clientWidth}`);
      const { left, right } = element.getBoundingClientRect();
      if ((left < -1 || right > innerWidth + 1) && !element.closest('.players, .analysis details'))
        found.push(`outside: ${name(element)}`);
    }
    for (const button of document.querySelectorAll('.create > .confirm, .lesson .confirm')) {
      const { top, bottom } = button.getBoundingClientRect();
      if (shown(button) && (top < 0 || bottom > innerHeight)) found.push(`below the screen: ${name(button)}`);
    }
    if (document.documentElement.lang === 'fr') {
      const torn = document.body.innerText.match(/.{0,20} [:;!?»].{0,20}/);
      if (torn) found.push(`a line could begin with the sign: ${torn}`);
    }
    for (const spot of document.querySelectorAll('.spot')) {
      const { left, right, top, bottom } = spot.getBoundingClientRect();
      const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      if (!over?.closest('.board')) found.push(`hidden: ${spot.getAttribute('class')} under ${over?.className}`);
    }
    for (const select of document.querySelectorAll('select')) {
      const canvas = document.createElement('canvas').getContext('2d');
      canvas.font = getComputedStyle(select).font;
      const words = select.selectedOptions[0]?.textContent ?? '';
      if (shown(select) && canvas.measureText(words).width > select.clientWidth - 34)
        found.push(`cut off: select "${words}"`);
    }
    return found;
  }, tap);
