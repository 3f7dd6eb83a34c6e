import { describe, expect, test } from 'vitest';
import { FRONT_DOORS } from '../../infra/context.ts';
import { loadLines } from './load.ts';
import { dollarsOf, total } from './prices.ts';
import { report } from './report.ts';
import { UNITS } from './units.ts';

const LOAD = { requests: 1e6, watches: 10, objects: 1e5 };

describe('the cost of a load', () => {
  test('is zero for an empty load', () => {
    const nothing = { requests: 0, watches: 0, objects: 0 };
    expect(FRONT_DOORS.map((door) => total(loadLines(nothing, door)))).toEqual([0, 0, 0, 0]);
  });

  test.each(FRONT_DOORS)('is higher with more of anything behind %s', (door) => {
    const dollars = total(loadLines(LOAD, door));
    for (const name of ['requests', 'watches', 'objects'] as const) {
      expect(total(loadLines({ ...LOAD, [name]: LOAD[name] * 2 }, door)), name).toBeGreaterThan(dollars);
    }
  });

  test('is low for ten informers that share an environment', () => {
    const watches = (door: (typeof FRONT_DOORS)[number]): number =>
      total(loadLines(LOAD, door)) - total(loadLines({ ...LOAD, watches: 0 }, door));
    expect(watches('function-url')).toBeGreaterThan(150);
    expect(watches('container')).toBeLessThan(5);
  });

  test('includes the counted reads and writes of the table', () => {
    const lines = loadLines({ requests: 100, watches: 0, objects: 0 }, 'container');
    const of = (what: string) => lines.find((line) => line.what === what)?.quantity;
    expect(of('table: reads of requests')).toBe(80 * UNITS['warm get'].readUnits + 20 * UNITS['warm update'].readUnits);
    expect(of('table: checkpoints')).toBe(20 * UNITS['checkpoint of one change'].writeUnits);
  });

  test('includes 700 log bytes per write in addition to the lines of its two invocations', () => {
    const lines = loadLines({ requests: 100, watches: 0, objects: 0 }, 'container');
    expect(lines.find(({ what }) => what === 'logs')?.quantity).toBeCloseTo((20 * (0.7 + 2 * 0.4)) / 1e6, 9);
  });

  test('has one line for each name', () => {
    for (const door of FRONT_DOORS) {
      const names = loadLines(LOAD, door).map(({ what }) => what);
      expect(new Set(names).size).toBe(names.length);
    }
  });
});

describe('the cost report', () => {
  test('has every line of an idle month, its sum, and the source of prices', () => {
    const text = report(['--idle', '--front-door', 'function-url']);
    const [title = '', ...rest] = text.split('\n');
    const rows = rest.flatMap((line) => /^ +\$(\d+\.\d{4}) /.exec(line)?.[1] ?? []);
    const sum = rows.reduce((all, dollars) => all + Number(dollars), 0);
    expect(Number(/\$(\d+\.\d\d)$/.exec(title)?.[1])).toBeCloseTo(sum, 1);
    expect(text).toContain('List prices of us-east-1 as of 2025-12, no free tier');
    expect(text).toContain('https://aws.amazon.com/kms/pricing/');
  });

  test('has every front door for a load', () => {
    const titles = report(['--requests', '1e6', '--watches', '10', '--objects', '1e5']).match(
      /^[\w-]+: a month, .*$/gm,
    );
    expect(titles?.map((title) => title.split(':')[0])).toEqual([...FRONT_DOORS]);
  });

  test.each([
    [['--requests', '1e6'], '--watches is a number, as 1e6'],
    [['--requests', 'many', '--watches', '1', '--objects', '1'], '--requests is a number, as 1e6'],
    [['--idle', '--front-door', 'x'], '--front-door is one of function-url, web-function, rest, container'],
    [['--month'], "Unknown option '--month'"],
  ])('rejects the options %j', (args, message) => {
    expect(() => report(args)).toThrow(expect.objectContaining({ message: expect.stringContaining(message) }));
  });

  test("multiplies a line's quantity by its price", () => {
    expect(dollarsOf({ what: 'keys', quantity: 2, price: 'key' })).toBe(2);
  });
});
