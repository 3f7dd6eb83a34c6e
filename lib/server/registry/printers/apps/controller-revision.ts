import type { ControllerRevision } from '#lib/api/types/apps.v1.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { controllerOf, nameOf } from '#lib/machinery/meta.ts';
import { parseApiVersion } from '#lib/machinery/schema.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, NONE } from '../cells.ts';
import { column, named } from '../columns.ts';

/** Upstream's printControllerRevision. */
export const controllerRevision: TablePrinter<ControllerRevision> = {
  columns: named(
    column('Controller', 'The object whose past state this is.'),
    column('Revision', 'The number of the state.'),
  ),
  cells: (object, now) => [nameOf(object), controllerText(object), object.revision, age(object, now)],
};

/** The controller as text, for example `daemonset.apps/name`. */
function controllerText(object: JsonObject): string {
  const controller = controllerOf(object);
  if (controller === undefined) return NONE;
  const group = parseApiVersion(controller.apiVersion)?.group ?? '';
  return (group === '' ? controller.kind : `${controller.kind}.${group}`).toLowerCase() + `/${controller.name}`;
}
