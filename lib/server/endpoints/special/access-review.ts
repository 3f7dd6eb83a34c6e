import type { SubjectAccessReviewSpec } from '#lib/api/types/authorization.v1.ts';
import { badRequest, invalid } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { User } from '#lib/server/authentication/user.ts';
import type { Attributes, Authorizer } from '#lib/server/authorization/authorizer.ts';
import type { Handler } from '../filters/filter.ts';
import { type AccessReview, type ReviewKind, reviewErrors } from './access-review-validation.ts';
import { type CreatePorts, createEndpoint, type KindOf, typed } from './create-endpoint.ts';
import { reviewSelectors } from './review-selectors.ts';

const GROUP = 'authorization.k8s.io';

/** The ports of access reviews. */
export interface ReviewPorts extends CreatePorts {
  readonly authorizer: Authorizer;
}

/** Reviews whether a user may make a request: the requesting user, another user, or another user in a namespace. */
export function accessReviewEndpoint(ports: ReviewPorts, kind: ReviewKind): Handler {
  const gvk: KindOf<AccessReview> = { group: GROUP, version: 'v1', kind };
  return createEndpoint(ports, {
    kind: gvk,
    namespaced: kind === 'LocalSubjectAccessReview',
    async act({ context, object, admit }) {
      const errors = reviewErrors(kind, object);
      if (errors.length > 0) throw invalid({ group: GROUP, kind: '' }, '', errors);
      if (kind === 'LocalSubjectAccessReview' && context.info.namespace === '')
        throw badRequest('namespace is required on this type: ');
      await admit();
      const { spec } = object;
      const user = kind === 'SelfSubjectAccessReview' ? context.user : subjectOf(spec);
      const { errors: unread, ...selectors } = reviewSelectors(spec.resourceAttributes);
      const { decision, reason, error } = await ports.authorizer(user, { ...attributesOf(spec), ...selectors });
      const evaluationError = [...(error === undefined ? [] : [error]), ...unread].join('; ');
      const status: JsonObject = {
        allowed: decision === 'allow',
        ...(decision === 'deny' ? { denied: true } : {}),
        ...(reason === '' ? {} : { reason }),
        ...(evaluationError === '' ? {} : { evaluationError }),
      };
      return typed(gvk, { ...object, status });
    },
  });
}

function subjectOf({ user = '', groups = [], uid = '', extra = {} }: SubjectAccessReviewSpec): User {
  return {
    name: user,
    groups,
    ...(uid === '' ? {} : { uid }),
    extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, values ?? []])),
  };
}

function attributesOf({ resourceAttributes, nonResourceAttributes: path }: SubjectAccessReviewSpec): Attributes {
  const {
    group = '',
    version = '',
    namespace = '',
    resource = '',
    subresource = '',
    name = '',
  } = resourceAttributes ?? {};
  return {
    isResourceRequest: resourceAttributes !== undefined,
    path: path?.path ?? '',
    verb: (resourceAttributes ?? path)?.verb ?? '',
    group,
    version: version || (resourceAttributes === undefined ? '' : '*'),
    namespace,
    resource,
    subresource,
    name,
  };
}
