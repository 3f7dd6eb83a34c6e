import { arrayAt } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../../printer.ts';
import { age } from '../cells.ts';
import { column, named } from '../columns.ts';

/** Upstream's printMutatingWebhook and printValidatingWebhook. */
export const webhookConfiguration: TablePrinter = {
  columns: named(column('Webhooks', 'The number of webhooks.', 'integer')),
  cells: (object, now) => [nameOf(object), arrayAt(object, 'webhooks').length, age(object, now)],
};
