import type { JsonObject } from '#lib/machinery/json-value.ts';
import { labelsOf } from '#lib/machinery/meta.ts';

/** The label of a Node that no machine stands behind; its value is `true`. */
export const SIMULATED = 'davit.dev/simulated';

/** Whether a Node says by its label that no machine stands behind it. */
export const isSimulated = (node: JsonObject): boolean => labelsOf(node)[SIMULATED] === 'true';
