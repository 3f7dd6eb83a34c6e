import { equal, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { text } from '#lib/machinery/unstructured.ts';
import { FieldPath, forbidden, type FieldError } from '#lib/machinery/validation/field.ts';
import type { KindStrategy } from '../../strategy.ts';
import { validateParameters, validateProvisioner } from './parameters.ts';

function validate(attributes: JsonObject): FieldError[] {
  return [
    ...validateProvisioner(text(attributes, 'driverName'), FieldPath.of('driverName')),
    ...validateParameters(attributes, false),
  ];
}

function validateUpdate(attributes: JsonObject, old: JsonObject): FieldError[] {
  const changed = ['driverName', 'parameters'].filter(
    (field) => !equal(ownField(attributes, field), ownField(old, field)),
  );
  return [...changed.map((field) => forbidden(field, `updates to ${field} are forbidden.`)), ...validate(attributes)];
}

/** Upstream's pkg/registry/storage/volumeattributesclass. */
export const volumeAttributesClassStrategy: KindStrategy = { validate, validateUpdate };
