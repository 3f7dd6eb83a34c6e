import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FRONT_DOORS, type FrontDoor } from '../../infra/context.ts';
import { MEGABYTES, monthLines, NOTHING, nodeMonth } from './month.ts';
import { askedOf } from './options.ts';
import { total } from './prices.ts';
import { linesOf } from './report.ts';
import { synthesized } from './template.ts';

const AMOUNTS = ['charts', 'deploys', 'scales', 'podsPlaced', 'nodes', 'streamGigabytes'] as const;

/** The cost in dollars of the options, in addition to an idle month. */
function more(frontDoor: FrontDoor, ...args: readonly string[]): number {
  const [asked, idle] = [askedOf(args), askedOf(['--idle'])];
  if (asked === undefined || idle === undefined) throw new Error('that is help');
  return total(linesOf(frontDoor, asked)) - total(linesOf(frontDoor, idle));
}

describe.each(FRONT_DOORS)('the cost of a month behind %s', (door) => {
  test('is zero without activity', () => expect(monthLines(NOTHING, door)).toEqual([]));

  test.each(AMOUNTS)('is higher with %s', (name) => {
    expect(total(monthLines({ ...NOTHING, [name]: 1 }, door))).toBeGreaterThan(0);
  });

  test('is lower if functions are warm, and if leases are renewed rarely', () => {
    const busy = { ...NOTHING, charts: 100, nodes: 1 };
    const dollars = total(monthLines(busy, door));
    expect(total(monthLines({ ...busy, cold: 0 }, door))).toBeLessThan(dollars);
    expect(total(monthLines({ ...busy, lease: 120 }, door))).toBeLessThan(dollars);
  });

  test('has one line for each name', () => {
    const names = monthLines({ ...NOTHING, charts: 1, nodes: 1, hasDomain: true }, door).map(({ what }) => what);
    expect(new Set(names).size).toBe(names.length);
  });

  test('is as docs/deploy.md states', () => {
    const text = readFileSync(join(import.meta.dirname, '../../docs/deploy.md'), 'utf8');
    const section = text.slice(text.indexOf('## What it costs'), text.indexOf('## Context values'));
    const row = new RegExp(`^\\| \`${door}\` \\|.*$`, 'm').exec(section)?.[0];
    const costs = [
      more(door, '--controllers', '10'),
      more(door, '--nodes', '1'),
      more(door, '--charts', '100'),
      more(door, '--pods-placed', '1000'),
    ];
    expect(row).toContain(costs.map((dollars) => `$${dollars.toFixed(2)}`).join(' | '));
  });
});

describe('an idle node for a month', () => {
  test.each([
    ['function-url', 0.5],
    ['web-function', 0.5],
    // Each million requests of the agent costs $3.50 more, so the goal is not met.
    ['rest', 0.75],
    ['container', 0.5],
  ] as const)('costs the sum of its parts behind %s, and at most $%d', (door, most) => {
    const parts = Object.values(nodeMonth(door)).reduce((all, part) => all + part, 0);
    expect(more(door, '--nodes', '1')).toBeCloseTo(parts, 9);
    expect(more(door, '--nodes', '3')).toBeCloseTo(3 * parts, 9);
    expect(parts).toBeLessThanOrEqual(most);
  });

  test('costs more with streamed data if the front door carries no channel', () => {
    const streamed = (door: FrontDoor): number =>
      more(door, '--nodes', '1', '--stream-gb', '1') - more(door, '--nodes', '1') - more(door, '--stream-gb', '1');
    expect(streamed('function-url')).toBeCloseTo(0.11, 2);
    expect(streamed('container')).toBeCloseTo(0, 9);
  });

  test('has the parts that docs/nodes.md lists', () => {
    const text = readFileSync(join(import.meta.dirname, '../../docs/nodes.md'), 'utf8');
    const told = text.slice(text.indexOf('## What a node costs in an account'));
    for (const door of FRONT_DOORS) {
      const { leases, status, looks, tokens, channel } = nodeMonth(door);
      const parts = [leases, status, looks, tokens, channel];
      const all = parts.reduce((sum, part) => sum + part, 0);
      const cells = [...parts, all].map((dollars) => `$${dollars.toFixed(3)}`);
      expect(told).toContain(`| \`${door}\` | ${cells.join(' | ')} |`);
    }
  });
});

test("uses the functions' memory of the stack", () => {
  const functions = Object.entries(synthesized({ nodes: true })).flatMap(([id, { Type, Properties = {} }]) =>
    Type === 'AWS::Lambda::Function'
      ? [[id.replace(/Function[0-9A-F]{8}$/, ''), Properties['MemorySize']] as const]
      : [],
  );
  expect(Object.fromEntries(functions)).toMatchObject({
    Api: MEGABYTES.apiserver,
    Doorbell: MEGABYTES.doorbell,
    Reconcilers: MEGABYTES.reconcilers,
    Scheduler: MEGABYTES.scheduler,
    Channel: MEGABYTES.relay,
  });
});

describe('options of the cost script', () => {
  test('request watches of controllers, and nodes', () => {
    const asked = askedOf(['--controllers', '10', '--kinds', '4', '--nodes', '2', '--lease', '10']);
    expect(asked?.load).toMatchObject({ watches: 40, kinds: 4 });
    expect(asked?.month).toMatchObject({ nodes: 2, lease: 10 });
  });

  test.each([
    [[], 'ask for --idle, or for what is done: --help has the options'],
    [['--nodes'], "Option '--nodes <value>' argument missing"],
    [['--nodes', '-1'], "Option '--nodes' argument is ambiguous."],
    [['--nodes', '1', '--lease', '0'], '--lease is a number of seconds above 0'],
    [['--charts', '1', '--cold', '2'], '--cold is a share from 0 to 1'],
    [['--charts', 'many'], '--charts is a number, as 1e6'],
  ])('rejects %j in one line', (args, message) => {
    expect(() => askedOf(args)).toThrow(new TypeError(message));
  });

  test('request nothing if help is requested', () => expect(askedOf(['--help', '--charts', 'x'])).toBeUndefined());
});
