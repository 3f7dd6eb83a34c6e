import { badRequest, StatusError } from '#lib/machinery/errors.ts';
import type { DecodedJson } from '#lib/machinery/json-parser.ts';
import { isObject, type JsonObject } from '#lib/machinery/json-value.ts';
import { finished, type Steps } from '#lib/machinery/steps.ts';
import { yamlSteps } from '#lib/machinery/yaml.ts';
import { boundPaths, MAX_VALUES } from './body-bound.ts';
import { warnEach } from './decode-body.ts';
import type { FieldValidation } from './options.ts';

/** A decoded configuration and its duplicate fields. */
export interface Applied {
  readonly value: JsonObject;
  readonly duplicates: readonly string[];
}

/** Decodes an applied configuration: YAML, which includes JSON. Throws 400. */
export const decodeApplied = (bytes: Uint8Array): Applied => finished(appliedSteps(bytes));

/** `decodeApplied` as steps that can pause. */
export function* appliedSteps(bytes: Uint8Array): Steps<Applied> {
  const { value, duplicates } = yield* readYaml(bytes);
  boundPaths(value);
  if (!isObject(value)) throw badRequest('error decoding YAML: the applied configuration is not an object');
  return { value, duplicates };
}

function* readYaml(bytes: Uint8Array): Steps<DecodedJson> {
  try {
    return yield* yamlSteps(bytes, { maxValues: MAX_VALUES });
  } catch (error) {
    if (error instanceof StatusError || !(error instanceof Error)) throw error;
    throw badRequest(`error decoding YAML: error converting YAML to JSON: ${error.message}`);
  }
}

/** Rejects a configuration for its duplicate fields, or warns about them, according to `mode`. Throws 400. */
export function reportDuplicates(found: readonly string[], mode: FieldValidation, warn: (text: string) => void): void {
  if (found.length === 0 || mode === 'Ignore') return;
  if (mode === 'Strict') {
    throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${found.join(', ')}`);
  }
  warnEach(found, warn);
}
