// Before anything is painted, and before the page's modules are there: the language and the theme, for the words that index.html itself says.
// Not a module, as those wait until all of the document has been read.
{
  /** @param {string} name */
  const kept = (name) => {
    try {
      return localStorage.getItem(`taluva.${name}`) ?? '';
    } catch {
      return ''; // a private window
    }
  };
  const root = document.documentElement;
  const language = kept('language');
  const tags = language ? [language] : navigator.languages;
  const known = tags.map((tag) => (/^zh-(hant|tw|hk|mo)\b/i.test(tag) ? 'zh-Hant' : tag.slice(0, 2).toLowerCase())).find((tag) => ['en', 'fr', 'zh', 'zh-Hant'].includes(tag));
  root.lang = known === 'zh' ? 'zh-Hans' : (known ?? 'en');
  if (kept('theme')) root.dataset.theme = kept('theme');
}
