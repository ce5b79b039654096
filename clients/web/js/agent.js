// What this browser calls itself to the server, so that its player knows it again in the list of devices: no more than its kind and
// the system.

/** The first that fits, as many browsers name others too. @type {[RegExp, string][]} */
const BROWSERS = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|Chromium\/|CriOS\//, 'Chromium'],
  [/Safari\//, 'Safari'],
];
/** @type {[RegExp, string][]} */
const SYSTEMS = [
  [/Android/, 'Android'],
  [/iPhone|iPod/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

/** @param {string} agent @param {[RegExp, string][]} names */
const find = (agent, names) => names.find(([pattern]) => pattern.test(agent))?.[1];

/** @param {string} agent as the browser names itself to servers */
export function agentName(agent) {
  return [find(agent, BROWSERS) ?? 'Browser', find(agent, SYSTEMS)].filter(Boolean).join(' on ');
}
