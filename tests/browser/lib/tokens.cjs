// Says which of the pairs of scripts that come as JSON, `[name, text, text]`, are not the same to a browser, token by token: by the parser
// that node has in itself.
//
// usage: node --expose-internals tokens.cjs < PAIRS

const { readFileSync } = require('node:fs');
const { parse } = require('internal/deps/acorn/acorn/dist/acorn');

/** @param {string} text */
function tokensOf(text) {
  const tokens = [];
  parse(text, { ecmaVersion: 'latest', sourceType: 'module', onToken: ({ type, start, end }) => tokens.push(`${type.label} ${text.slice(start, end)}`) });
  return tokens.join('\n');
}

const pairs = JSON.parse(readFileSync(0, 'utf8'));
const different = pairs.filter(([, one, other]) => tokensOf(one) !== tokensOf(other)).map(([name]) => name);
console.log(JSON.stringify(different));
