import * as z from 'zod';
import { JsonSyntaxError } from '#lib/machinery/json-parser.ts';
import { isObject, type JsonObject, stringAt } from '#lib/machinery/json-value.ts';
import { aggregate } from '#lib/machinery/validation/field.ts';
import { decodeYaml, YamlError } from '#lib/machinery/yaml.ts';
import { type Policy, policySchema } from './policy.ts';
import { validatePolicy } from './validation.ts';

/**
 * Reads YAML or JSON and validates it like upstream. Throws TypeError. If there are unknown or duplicate fields, upstream decodes
 * leniently. This server rejects them, because a misspelt rule would leave requests unaudited.
 */
export function parsePolicy(document: string): Policy {
  const { value, duplicates } = decoded(document);
  checkKind(value);
  if (duplicates[0] !== undefined) throw new TypeError(`failed decoding: ${duplicates[0]}`);
  const read = policySchema.safeParse(value);
  if (!read.success) throw new TypeError(`failed decoding: ${z.prettifyError(read.error)}`);
  const errors = validatePolicy(read.data);
  if (errors.length > 0) throw new TypeError(aggregate(errors));
  if (read.data.rules.length === 0) throw new TypeError('loaded illegal policy with 0 rules');
  return read.data;
}

function decoded(document: string): { value: JsonObject; duplicates: readonly string[] } {
  try {
    const { value, duplicates } = decodeYaml(Buffer.from(document));
    return { value: isObject(value) ? value : {}, duplicates };
  } catch (error) {
    if (!(error instanceof YamlError) && !(error instanceof JsonSyntaxError)) throw error;
    throw new TypeError(`failed decoding: ${error.message}`, { cause: error });
  }
}

function checkKind(document: JsonObject): void {
  const kind = stringAt(document, 'kind') ?? '';
  const version = stringAt(document, 'apiVersion') ?? '';
  if (kind === '') throw new TypeError("failed decoding: Object 'Kind' is missing");
  if (version === '') throw new TypeError("failed decoding: Object 'apiVersion' is missing");
  if (kind !== 'Policy' || version !== 'audit.k8s.io/v1')
    throw new TypeError(`failed decoding: no kind "${kind}" is registered for version "${version}"`);
}
