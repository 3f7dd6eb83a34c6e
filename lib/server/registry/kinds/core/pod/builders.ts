import { decodedAs } from '#lib/api/testing.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { errorText } from '#lib/machinery/validation/field.ts';
import { defaultPod } from './defaults.ts';
import { podValidationOptions } from './options.ts';
import { validatePodCreate } from './validation/pod.ts';
import { validatePodUpdate } from './validation/update.ts';

/** The fields of a valid container, overridden by `fields`. For tests. */
export function aContainer(fields: JsonObject = {}): JsonObject {
  return { name: 'app', image: 'nginx:1.27', ...fields };
}

/** A valid pod with defaults, overridden by `spec` and `metadata`. For tests. */
export function aPod(spec: JsonObject = {}, metadata: JsonObject = {}): Pod {
  const pod = decodedAs(PODS, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'default', ...metadata },
    spec: { containers: [aContainer()], serviceAccountName: 'default', ...spec },
  });
  defaultPod(pod);
  return pod;
}

/** The errors of a new pod as text. For tests. */
export function createErrors(spec: JsonObject, metadata: JsonObject = {}): string[] {
  return validatePodCreate(aPod(spec, metadata), podValidationOptions(undefined, true)).map(errorText);
}

/** The errors of a new pod whose container has `fields`. For tests. */
export function containerErrors(fields: JsonObject, spec: JsonObject = {}): string[] {
  return createErrors({ containers: [aContainer(fields)], ...spec });
}

/** The errors of an update from one spec to another. For tests. */
export function updateErrors(from: JsonObject, to: JsonObject): string[] {
  const old = aPod(from);
  return validatePodUpdate(aPod(to), old, podValidationOptions(old, true)).map(errorText);
}

/** The fields of a volume, by default an empty directory. For tests. */
export const volume = (name: string, source: JsonObject = { emptyDir: {} }): Json => ({ name, ...source });
