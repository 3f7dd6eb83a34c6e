import type {
  FieldSelectorAttributes,
  LabelSelectorAttributes,
  NonResourceAttributes,
  ResourceAttributes,
  SubjectAccessReview,
  SubjectAccessReviewSpec,
} from '#lib/api/types/authorization.v1.ts';
import { type JsonObject, ownField } from '#lib/machinery/json-value.ts';
import { namespaceOf } from '#lib/machinery/meta.ts';
import { type FieldError, FieldPath, invalid, required } from '#lib/machinery/validation/field.ts';

/** The kinds of reviews that check one request. */
export type ReviewKind = 'SelfSubjectAccessReview' | 'SubjectAccessReview' | 'LocalSubjectAccessReview';

/** An object of such a kind. The spec of a SelfSubjectAccessReview is the same without a subject. */
export type AccessReview = SubjectAccessReview;

const SPEC = FieldPath.of('spec');
const METADATA = FieldPath.of('metadata');

/** Validates a review: upstream's pkg/apis/authorization/validation. */
export function reviewErrors(kind: ReviewKind, review: AccessReview): FieldError[] {
  const { spec } = review;
  const { resourceAttributes: resource, nonResourceAttributes: path } = spec;
  return [
    ...choiceErrors(resource, path),
    ...(kind === 'SelfSubjectAccessReview' ? [] : subjectErrors(spec)),
    ...selectorErrors(resource?.fieldSelector, 'fieldSelector'),
    ...selectorErrors(resource?.labelSelector, 'labelSelector'),
    ...metadataErrors(kind, review),
    ...(kind === 'LocalSubjectAccessReview' ? localErrors(review, resource, path) : []),
  ];
}

/** Formats a path as upstream prints its struct. */
const shownPath = ({ path = '', verb = '' }: NonResourceAttributes): unknown => ({ Path: path, Verb: verb });

function choiceErrors(resource: ResourceAttributes | undefined, path: NonResourceAttributes | undefined): FieldError[] {
  if (resource !== undefined && path !== undefined) {
    const why = 'cannot be specified in combination with resourceAttributes';
    return [invalid(SPEC.child('nonResourceAttributes'), shownPath(path), why)];
  }
  if (resource !== undefined || path !== undefined) return [];
  const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return [invalid(SPEC.child('resourceAttributes'), null, why)];
}

function subjectErrors({ user = '', groups = [] }: SubjectAccessReviewSpec): FieldError[] {
  if (user !== '' || groups.length > 0) return [];
  return [invalid(SPEC.child('user'), '', 'at least one of user or group must be specified')];
}

function selectorErrors(
  selector: FieldSelectorAttributes | LabelSelectorAttributes | undefined,
  field: string,
): FieldError[] {
  if (selector === undefined) return [];
  const path = SPEC.child('resourceAttributes').child(field);
  const { rawSelector: raw = '' } = selector;
  const requirements = selector.requirements?.length ?? 0;
  if (raw !== '' && requirements > 0)
    return [invalid(path.child('rawSelector'), raw, 'may not specified at the same time as requirements')];
  if (raw !== '' || requirements > 0) return [];
  const why = `when spec.resourceAttributes.${field} is specified, requirements or rawSelector is required`;
  return [required(path.child('requirements'), why)];
}

function metadataErrors(kind: ReviewKind, { metadata }: AccessReview): FieldError[] {
  const local = kind === 'LocalSubjectAccessReview';
  const allowed = local ? ['managedFields', 'namespace'] : ['managedFields'];
  const filled = Object.keys(metadata).filter((field) => !allowed.includes(field) && !isEmpty(metadata, field));
  if (filled.length === 0) return [];
  return [invalid(METADATA, metadata, local ? 'must be empty except for namespace' : 'must be empty')];
}

function isEmpty(metadata: JsonObject, field: string): boolean {
  const value = ownField(metadata, field);
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function localErrors(
  review: AccessReview,
  resource: ResourceAttributes | undefined,
  path: NonResourceAttributes | undefined,
): FieldError[] {
  const given = resource?.namespace ?? '';
  const wrong = resource !== undefined && given !== namespaceOf(review);
  return [
    ...(wrong ? [invalid('spec.resourceAttributes.namespace', given, 'must match metadata.namespace')] : []),
    ...(path === undefined
      ? []
      : [invalid('spec.nonResourceAttributes', shownPath(path), 'disallowed on this kind of request')]),
  ];
}
