import { typedObject } from '#lib/api/typed.ts';
import type { PodSpec } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';

/** The spec of a decoded pod, or of a decoded template of pods, as its type says it is. */
export const typedPodSpec = (spec: JsonObject): PodSpec => typedObject(PODS, { spec }).spec;
