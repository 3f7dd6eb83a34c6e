import type { JsonObject } from '#lib/machinery/json-value.ts';
import { text } from '#lib/machinery/unstructured.ts';

/** An init container that keeps running beside the others. */
export const isSidecar = (container: JsonObject): boolean => text(container, 'restartPolicy') === 'Always';
