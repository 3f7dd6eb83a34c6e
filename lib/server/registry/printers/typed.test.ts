import { expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import type { TablePrinter } from '../printer.ts';

test('a printer that misspells a field does not compile', () => {
  const printer: TablePrinter<Pod> = {
    columns: [],
    // @ts-expect-error misspelt field
    cells: (pod) => [pod.spec.nodeNmae],
  };
  expect(printer.columns).toEqual([]);
});
