import type {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '#lib/api/types/admissionregistration.v1.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../../printer.ts';
import { age } from '../cells.ts';
import { column, named } from '../columns.ts';

/** Upstream's printMutatingWebhook and printValidatingWebhook. */
export const webhookConfiguration: TablePrinter<MutatingWebhookConfiguration | ValidatingWebhookConfiguration> = {
  columns: named(column('Webhooks', 'The number of webhooks.', 'integer')),
  cells: (object, now) => [nameOf(object), object.webhooks?.length ?? 0, age(object, now)],
};
