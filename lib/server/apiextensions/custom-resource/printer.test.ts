import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { CellBudget } from '#lib/server/registry/cell-budget.ts';
import type { Column } from '../definition.ts';
import { customResourcePrinter } from './printer.ts';

const NOW = new Date('2024-01-01T00:00:00Z');
const column = (jsonPath: string): Column => ({
  name: jsonPath,
  type: 'string',
  format: '',
  description: '',
  priority: 0,
  jsonPath,
});
const nested = (depth: number): Json => Array.from({ length: depth }).reduce<Json>((a) => ({ a }), {});
const anObject = (spec: Json): JsonObject => ({ metadata: { name: 'x' }, spec });
const DEAR = '.spec..a..a..a';

describe('columns with multiplying paths', () => {
  const told: string[] = [];
  const printer = customResourcePrinter([DEAR, '.metadata.name', DEAR].map(column), (text) => told.push(text));
  const budget = new CellBudget();
  const dear = anObject(nested(430));

  test('are empty, and do not affect the other columns', () => {
    expect(printer.cells(dear, NOW, budget)).toEqual(['x', null, 'x', null]);
  });

  test('stay well below the budget for a small object', () => {
    expect(printer.cells(anObject(nested(4)), NOW)).toEqual(['x', '{"a":{}}', 'x', '{"a":{}}']);
  });

  test("have only their own steps after the request's budget is spent", () => {
    const [, first] = customResourcePrinter([column('.spec..a')]).cells(anObject(nested(400)), NOW, budget);
    expect(first).toBeNull();
    const [, plain] = customResourcePrinter([column('.spec..a')]).cells(anObject(nested(100)), NOW, budget);
    expect(plain).not.toBeNull();
  });

  test('cause one warning each', () => {
    for (let i = 0; i < 3; i++) printer.cells(dear, NOW, new CellBudget());
    const text = `the printer column ".spec..a..a..a" (".spec..a..a..a") takes too many steps, cells of it are empty`;
    expect(told).toEqual([text, text]);
  });
});

test('limits the text of all cells of a large value', () => {
  const many = customResourcePrinter(Array.from({ length: 10_000 }, () => column('.spec')));
  const cells = many.cells(anObject({ a: 'x'.repeat(100_000), b: ['y'.repeat(100_000)] }), NOW);
  const characters = cells.reduce<number>((sum, cell) => sum + String(cell ?? '').length, 0);
  expect(characters).toBeGreaterThan(200_000);
  expect(characters).toBeLessThan(4_000_000);
});
