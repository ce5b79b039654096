// Unit tests of the page's words: all languages say all that is asked for, refusals and names, traditional Chinese, lists.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { traditional } from '../../clients/web/js/traditional.js';
import { Refusal } from '../../clients/web/js/wire.js';
import { errorText, fetchWorded, LANGUAGES, listed, nameOf, setLanguage, t, vocabulary } from '../../clients/web/js/words.js';
import * as characters from './lib/characters.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));

const WEB = path.resolve(HERE, '../../clients/web');
/** Those that have words of their own, beside English. */
const OTHERS = Object.keys(LANGUAGES).filter((language) => language !== 'en' && language !== 'zh-hant');
/** The folders of texts, and of the code that uses them. */
/** `own`: texts of which the modules say few by name, and no refusals; `late`: of the modules that say with latewords.js, not of the others. */
const VOCABULARIES = [
  { words: 'i18n', js: 'js', without: 'games', base: '', late: false },
  { words: 'i18n/late', js: 'js', without: 'games', base: 'i18n', late: true, own: true },
  { words: 'js/games/taluva/i18n', js: 'js/games/taluva', without: 'learn', base: 'i18n' },
  { words: 'js/games/taluva/learn/i18n', js: 'js/games/taluva/learn', without: 'i18n', base: 'js/games/taluva/i18n', own: true },
  { words: 'js/games/totem/i18n', js: 'js/games/totem', without: 'learn', base: 'i18n' },
  { words: 'js/games/totem/learn/i18n', js: 'js/games/totem/learn', without: 'i18n', base: 'js/games/totem/i18n', own: true },
];

/** @param {string} folder @param {string} language @returns {Promise<{[key: string]: string}>} */
const wordsOf = async (folder, language) => (await import(path.join(WEB, folder, `${language}.js`))).default;

/** The source of all modules in a folder. @param {string} folder @param {string} [without] a folder in it @param {boolean} [late] only those that are fetched late, or the others */
const sourceOf = (folder, without, late) =>
  readdirSync(path.join(WEB, folder), { recursive: true })
    .filter((name) => name.endsWith('.js') && name.split(path.sep)[0] !== without)
    .map((name) => readFileSync(path.join(WEB, folder, name), 'utf8'))
    .filter((text) => late === undefined || text.includes("from './latewords.js'") === late)
    .join('\n');

for (const { words, js, without, base, own = false, late } of VOCABULARIES) {
  test(`all languages have the sentences of the English, with the same placeholders: ${words}`, async () => {
    const [en, ...others] = await Promise.all(['en', ...OTHERS].map((language) => wordsOf(words, language)));
    const plural = (key) => key.replace(/_(one|few)$/, '_other');
    const blanks = (text) => [...text.matchAll(/\{\w+\}/g)].map(String).sort().join();
    for (const [at, name] of OTHERS.entries()) {
      const other = others[at];
      const keys = [...new Set(Object.keys(en).map(plural))];
      const there = keys.filter((key) => key in other); // lint/catalogues.py says how many may wait for who speaks the language
      assert.ok(there.length >= 0.8 * keys.length, `${name}: ${there.length}`);
      for (const key of there) assert.equal(blanks(other[key]), blanks(en[key]), `${name}: ${key}`);
      for (const key of Object.keys(other)) assert.ok(key in en || plural(key) in en || /^(e_|n_[A-Z])/.test(key), `${name}: ${key} is not used`);
    }
    const codes = (some) =>
      Object.keys(some)
        .filter((key) => key.startsWith('e_'))
        .sort();
    for (const other of others) assert.ok(own || codes(other).length > 10, 'in English the server’s own sentences are shown');
  });

  test(`every sentence that is asked for exists, and no other: ${js}${late ? ', late' : ''}`, async () => {
    const en = await wordsOf(words, 'en');
    const known = { ...en, ...(base && (await wordsOf(base, 'en'))) };
    const source = sourceOf(js, without, late);
    const asked = [...source.matchAll(/\bt\(\s*'([^']+)'/g)].map(([, key]) => key);
    assert.ok(asked.length > (own ? 1 : 50));
    for (const key of asked) assert.ok(key in known || `${key}_other` in known, key);
    const all = sourceOf('js');
    const built = [...all.matchAll(/`([a-z_]+_)\$\{/g)].map(([, prefix]) => prefix);
    for (const key of Object.keys(en)) {
      const stem = key.replace(/_(one|other)$/, '');
      assert.ok(all.includes(`'${stem}'`) || built.some((prefix) => key.startsWith(prefix)), `${key} is said nowhere`);
    }
  });
}

test('in French, going on, picking up and taking back have words of their own', async () => {
  const [page, own] = await Promise.all([wordsOf('i18n', 'fr'), wordsOf('js/games/taluva/i18n', 'fr')]);
  assert.equal(new Set([page.go_on, own.lift, own.undo]).size, 3);
});

test('whoever reads traditional Chinese gets it, and nothing in it is left simplified', async () => {
  globalThis.document = /** @type {any} */ ({ documentElement: {} });
  for (const [tag, lang, words] of [
    ['zh-TW', 'zh-Hant', '與電腦對局'],
    ['zh-Hant-HK', 'zh-Hant', '與電腦對局'],
    ['zh-CN', 'zh-Hans', '与电脑对局'],
  ]) {
    await setLanguage(tag);
    assert.equal(document.documentElement.lang, lang);
    assert.equal(t('solo'), words);
  }
  assert.equal(traditional('服务器正在重启，房舍后的火山已准备喷发'), '伺服器正在重啟，房舍後的火山已準備噴發');
  assert.equal(traditional('超过五只放走，余鸟 {n} 只，得一只；新聚落只能重复'), '超過五隻放走，餘鳥 {n} 隻，得一隻；新聚落只能重複');
  assert.equal(traditional('按“打印”，保存账号'), '按「列印」，儲存帳號');
  const gb2312 = new TextDecoder('gb2312'); // its first part are the commonest characters, all of which are known
  const common = new Set();
  for (let high = 0xb0; high < 0xd8; high++)
    for (let low = 0xa1; low < 0xff; low++) common.add(gb2312.decode(new Uint8Array([high, low])));
  const texts = await Promise.all(VOCABULARIES.map(({ words }) => wordsOf(words, 'zh')));
  const used = new Set(texts.flatMap((own) => Object.values(own).join('').match(/[\u4e00-\u9fff]/g) ?? []));
  const other = new Map([...characters.SIMPLIFIED].map((one, at) => [one, [...characters.TRADITIONAL][at]]));
  for (const one of used) assert.equal(traditional(one), other.get(one) ?? one, 'as it is written elsewhere; the page lists what it uses');
  const unknown = [...used].filter((one) => !common.has(one) && !'潟狩豚螃蝠蟋蟀槿鬣蜥'.includes(one) && !other.has(one)); // those are the same in both
  assert.deepEqual(unknown, [], 'characters that may have another form');
  assert.deepEqual([...other.keys()].filter((one) => !used.has(one) && traditional(one) !== one), [], 'no text is made of them: the page need not have them');
  await setLanguage('en');
  delete globalThis.document;
});

const ERRORS = JSON.parse(readFileSync(path.resolve(HERE, '../../protocol/errors.json'), 'utf8')).errors;

for (const language of ['fr', 'zh']) {
  test(`every refusal of the server has words: ${language}`, async () => {
    const page = await wordsOf('i18n', language);
    for (const from of ['protocol', 'taluva', 'totem']) {
      const own = from === 'protocol' ? {} : await wordsOf(`js/games/${from}/i18n`, language);
      const codes = ERRORS.filter((one) => one.from.includes(from) && !one.when.startsWith('Never on the wire')).map(({ code }) => code);
      assert.ok(codes.length > 10);
      assert.deepEqual(codes.filter((code) => !own[`e_${code}`] && !page[`e_${code}`]), [], from);
    }
  });
}

test('a refusal says which field it is about, in the visitor’s language', async () => {
  globalThis.document = /** @type {any} */ ({ documentElement: {} });
  const refusal = (code, field) => new Refusal({ code, message: 'Said by the server.', field });
  const game = /** @type {any} */ ({ refusal: () => '', fieldName: (field) => (field === 'tiles' ? 'Tuiles' : '') });
  await setLanguage('fr');
  const french = await wordsOf('i18n', 'fr');
  assert.equal(errorText(refusal('bad_field', 'name')), `${french.e_bad_field} (${french.f_name})`);
  assert.equal(errorText(refusal('bad_field', 'clock.bank_s')), `${french.e_bad_field} (${french.f_clock})`);
  assert.equal(errorText(refusal('bad_options', 'tiles'), game), `${french.e_bad_options} (Tuiles)`);
  assert.equal(errorText(refusal('seat_taken', 'seat')), french.e_seat_taken, 'which says it already');
  assert.equal(errorText(refusal('bad_field', 'wobble')), `${french.e_bad_field} (wobble)`);
  await setLanguage('en');
  assert.equal(errorText(refusal('bad_field', 'title')), 'Said by the server. (title)');
  delete globalThis.document;
});

test('those without a name have one in the visitor’s language, and no other than the server’s numbers', async () => {
  globalThis.document = /** @type {any} */ ({ documentElement: {} });
  const names = [...readFileSync(path.resolve(HERE, '../../server/room/default_name.c'), 'utf8').matchAll(/"(\w+)"/g)].map(([, name]) => name);
  assert.ok(names.length > 30);
  const state = { seats: Object.fromEntries(['Turtle', 'Ana', 'Mango', 'Ana 2', 'Turtle 2'].map((name, seat) => [seat, { name }])) };
  const shown = () => Object.keys(state.seats).map((seat) => nameOf(state, seat));
  await setLanguage('fr');
  assert.deepEqual(shown(), ['Tortue', 'Ana', 'Mangue', 'Ana 2', 'Tortue 2']);
  await setLanguage('zh');
  for (const name of names) assert.match(nameOf({ seats: { 0: { name } } }, 0), /^[\u4e00-\u9fff]+$/, name);
  await setLanguage('en');
  assert.deepEqual(shown(), ['Turtle', 'Ana', 'Mango', 'Ana 2', 'Turtle 2']);
  delete globalThis.document;
});

test('words that are fetched late are those of the language that was chosen meanwhile', async () => {
  globalThis.document = /** @type {any} */ ({ documentElement: {} });
  await setLanguage('en');
  let bring = () => undefined;
  const slow = new Promise((resolve) => (bring = () => resolve({ default: { some: 'word' } })));
  const late = vocabulary(null, (language) => (language === 'en' ? slow : Promise.resolve({ default: { some: 'mot' } })));
  const part = fetchWorded(async () => 'part').then(() => late.t('some'));
  await new Promise((resolve) => setImmediate(resolve)); // its English is asked for
  const spoken = setLanguage('fr');
  bring();
  assert.equal(await part, 'mot', 'and never a key');
  await spoken;
  await setLanguage('en');
});

test('lists are as Intl.ListFormat writes them, which is slow to begin', async () => {
  globalThis.document = { documentElement: {} };
  try {
    for (const language of Object.keys(LANGUAGES)) {
      const tag = { zh: 'zh-Hans', 'zh-hant': 'zh-Hant' }[language] ?? language;
      await setLanguage(language);
      const format = new Intl.ListFormat(tag);
      for (const names of [[], ['Ana'], ['Ana', 'Bo'], ['Ana', 'Bo', 'Chi'], ['Ana', 'Bo', '{b}', 'Dan']]) assert.equal(listed(names), format.format(names), language);
    }
    await setLanguage('en');
  } finally {
    delete globalThis.document;
  }
});
