import type { GroupResource } from '#lib/machinery/schema.ts';
import type { TablePrinter } from '../printer.ts';
import { defaultPrinter } from './default.ts';

const PRINTERS: Readonly<Record<string, TablePrinter>> = {};

/** How `kubectl get` shows a built-in resource. */
export function printerOf({ group, resource }: GroupResource): TablePrinter {
  return PRINTERS[`${group}/${resource}`] ?? defaultPrinter;
}
