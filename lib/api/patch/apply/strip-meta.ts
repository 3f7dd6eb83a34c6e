import { difference, type FieldSet, setOf } from './field-set.ts';

const METADATA = [
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'clusterName',
  'generation',
  'managedFields',
  'resourceVersion',
];

/** The fields that no manager owns: upstream's strip set. */
const NEVER_OWNED = setOf(
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ...METADATA.map((field) => ['f:metadata', `f:${field}`]),
);

/** Returns the set without the fields that no manager owns, such as apiVersion and metadata.name. */
export const stripMeta = (set: FieldSet): FieldSet => difference(set, NEVER_OWNED);
