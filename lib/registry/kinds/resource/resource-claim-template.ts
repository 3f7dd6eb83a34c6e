import { objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { FieldPath, forbidden, type FieldError } from '#lib/machinery/validation/field.ts';
import { validateLabels } from '#lib/machinery/validation/labels.ts';
import { validateAnnotations } from '#lib/machinery/validation/object-meta.ts';
import type { KindStrategy } from '../../strategy.ts';
import { at } from '../shared/fields.ts';
import { immutable, semanticEqual } from '../shared/semantic.ts';
import { defaultClaimSpec, validateClaimSpec } from './claim-spec.ts';

const SPEC = FieldPath.of('spec');
const METADATA = SPEC.child('metadata');

/** Of the metadata only labels and annotations may be given: the rest is each claim's own. */
function validate(template: JsonObject): FieldError[] {
  const metadata = at(template, 'spec', 'metadata') ?? {};
  const isSet = (field: string): boolean => {
    const value = ownField(metadata, field);
    return value !== '' && value !== 0 && !semanticEqual(value, undefined);
  };
  const others = Object.keys(metadata).filter((field) => field !== 'labels' && field !== 'annotations' && isSet(field));
  return [
    ...validateAnnotations(objectAt(metadata, 'annotations'), METADATA.child('annotations')),
    ...validateLabels(objectAt(metadata, 'labels'), METADATA.child('labels')),
    ...others.map((field) => forbidden(METADATA.child(field), 'cannot be set')),
    ...validateClaimSpec(at(template, 'spec', 'spec'), SPEC.child('spec')),
  ];
}

/** Upstream's pkg/registry/resource/resourceclaimtemplate. */
export const resourceClaimTemplateStrategy: KindStrategy = {
  default: (template) => defaultClaimSpec(at(template, 'spec', 'spec')),
  validate,
  validateUpdate: (template, old) => [...validate(template), ...immutable(template, old, 'spec', FieldPath.of(''))],
};
