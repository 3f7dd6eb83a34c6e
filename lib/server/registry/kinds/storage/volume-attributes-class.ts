import type { VolumeAttributesClass } from '#lib/api/types/storage.v1.ts';
import { equal } from '#lib/machinery/json-value.ts';
import { type FieldError, FieldPath, forbidden } from '#lib/machinery/validation/field.ts';
import type { KindStrategy } from '../../strategy.ts';
import { validateParameters, validateProvisioner } from './parameters.ts';

function validate(attributes: VolumeAttributesClass): FieldError[] {
  return [
    ...validateProvisioner(attributes.driverName, FieldPath.of('driverName')),
    ...validateParameters(attributes, false),
  ];
}

const FIXED = ['driverName', 'parameters'] as const;

function validateUpdate(attributes: VolumeAttributesClass, old: VolumeAttributesClass): FieldError[] {
  const changed = FIXED.filter((field) => !equal(attributes[field], old[field]));
  return [...changed.map((field) => forbidden(field, `updates to ${field} are forbidden.`)), ...validate(attributes)];
}

/** Upstream's pkg/registry/storage/volumeattributesclass. */
export const volumeAttributesClassStrategy: KindStrategy<VolumeAttributesClass> = { validate, validateUpdate };
