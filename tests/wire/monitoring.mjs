// The examples for Prometheus and Grafana ask for metrics and labels that exist.
import {readFileSync} from 'node:fs';
import {assert, run, test} from './lib/tap.mjs';
import {Server} from './lib/server.mjs';
import {player} from './lib/socket.mjs';

const file = (name) => readFileSync(new URL(`../../deploy/monitoring/${name}`, import.meta.url), 'utf8');

/** The metrics of a server: the labels of each, with the values that they can have. */
async function metrics() {
  const server = await Server.start();
  await player(server.port, 'Ana'); // requests are listed by what has been asked
  const page = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
  await server.stop();
  const found = new Map();
  for (const [, name, labels] of page.matchAll(/^(taluva_\w+)(?:\{(.*)\})? /gm)) {
    if (!found.has(name)) found.set(name, new Map());
    for (const [, label, value] of (labels ?? '').matchAll(/(\w+)="([^"]*)"/g)) {
      const values = found.get(name);
      if (!values.has(label)) values.set(label, new Set());
      values.get(label).add(value);
    }
  }
  return found;
}

const known = await metrics();
/** What only nodes of a site have is tried by operator.mjs. */
const ofNodes = /^taluva_(site|part|link|keeper)_/;

/** What a query asks for that no server has. */
function unknownIn(query) {
  const unknown = [];
  for (const [, name, selector] of query.matchAll(/\b(taluva_\w+)(?:\{([^}]*)\})?/g)) {
    const labels = known.get(name);
    if (ofNodes.test(name)) continue;
    if (!labels) {
      unknown.push(name);
      continue;
    }
    for (const [, label, values] of (selector ?? '').matchAll(/(\w+)=~?"([^"]*)"/g)) {
      if (label === 'instance') continue;
      for (const value of values.split('|')) if (!labels.get(label)?.has(value)) unknown.push(`${name}{${label}="${value}"}`);
    }
  }
  const names = [...query.matchAll(/\b(taluva_\w+)/g)].map((match) => match[1]);
  for (const [, labels] of query.matchAll(/\bby \(([^)]*)\)/g))
    for (const label of labels.split(', '))
      if (!['le', 'instance'].includes(label) && !names.every((name) => ofNodes.test(name) || known.get(name)?.has(label))) unknown.push(`by (${label})`);
  return unknown;
}

test('what does not exist is noticed', () => {
  assert.deepEqual(unknownIn('rate(taluva_nothing_total[5m]) + taluva_connections'), ['taluva_nothing_total']);
  assert.deepEqual(unknownIn('taluva_closes_total{code="1011"} + taluva_closes_total{code=~"4002|9"}'), ['taluva_closes_total{code="9"}']);
  assert.deepEqual(unknownIn('sum by (le, why) (taluva_commit_seconds_bucket{instance="a"})'), ['by (why)']);
});

test('alerts', () => {
  const queries = [...file('alerts.yml').matchAll(/^ +expr: (.*)$/gm)].map((match) => match[1]);
  assert.ok(queries.length >= 15, `${queries.length} alerts`);
  for (const query of queries) assert.deepEqual(unknownIn(query), [], query);
});

test('each alert is tested, as firing and as silent', () => {
  const [alerts, tests] = [file('alerts.yml'), file('alerts.test.yml')];
  for (const [, name] of alerts.matchAll(/alert: (\w+)/g))
    assert.equal(tests.split(`alertname: ${name}\n`).length - 1, 2, name);
});

test('the dashboard', () => {
  const dashboard = JSON.parse(file('dashboard.json'));
  const queries = dashboard.panels.flatMap((panel) => panel.targets.map((target) => target.expr));
  assert.ok(queries.length >= 25, `${queries.length} queries`);
  for (const query of queries) assert.deepEqual(unknownIn(query), [], query);
  // It is of one server: what only nodes have would never be shown.
  for (const query of queries) assert.ok(![...query.matchAll(/\btaluva_\w+/g)].some(([name]) => ofNodes.test(name)), query);
  for (const panel of dashboard.panels)
    for (const {expr, legendFormat} of panel.targets)
      for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
        assert.ok([...expr.matchAll(/\b(taluva_\w+)/g)].every(([, name]) => known.get(name).has(label)), `${panel.title}: ${label}`);
  assert.equal(new Set(dashboard.panels.map((panel) => panel.id)).size, dashboard.panels.length);
});

await run();
