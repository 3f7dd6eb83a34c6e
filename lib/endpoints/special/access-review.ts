import type { Attributes, Authorizer } from '#lib/authorization/authorizer.ts';
import type { User } from '#lib/authentication/user.ts';
import { badRequest, invalid } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { at, text, texts } from '#lib/machinery/unstructured.ts';
import type { Handler } from '../filters/filter.ts';
import { reviewErrors, type ReviewKind } from './access-review-validation.ts';
import { createEndpoint, typed, type CreatePorts } from './create-endpoint.ts';
import { reviewSelectors } from './review-selectors.ts';

const GROUP = 'authorization.k8s.io';

/** The ports of access reviews. */
export interface ReviewPorts extends CreatePorts {
  readonly authorizer: Authorizer;
}

/** Whether someone may do something: the reviews of one's own access, of another's, and of another's in a namespace. */
export function accessReviewEndpoint(ports: ReviewPorts, kind: ReviewKind): Handler {
  const gvk = { group: GROUP, version: 'v1', kind };
  return createEndpoint(ports, {
    kind: gvk,
    namespaced: kind === 'LocalSubjectAccessReview',
    async act({ context, object, admit }) {
      const errors = reviewErrors(kind, object);
      if (errors.length > 0) throw invalid({ group: GROUP, kind: '' }, '', errors);
      if (kind === 'LocalSubjectAccessReview' && context.info.namespace === '')
        throw badRequest('namespace is required on this type: ');
      await admit();
      const spec = at(object, 'spec') ?? {};
      const user = kind === 'SelfSubjectAccessReview' ? context.user : subjectOf(spec);
      const { errors: unread, ...selectors } = reviewSelectors(at(spec, 'resourceAttributes'));
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

function subjectOf(spec: JsonObject): User {
  const extra = at(spec, 'extra') ?? {};
  return {
    name: text(spec, 'user'),
    groups: texts(spec, 'groups'),
    ...(text(spec, 'uid') === '' ? {} : { uid: text(spec, 'uid') }),
    extra: Object.fromEntries(Object.keys(extra).map((key) => [key, texts(extra, key)])),
  };
}

function attributesOf(spec: JsonObject): Attributes {
  const resource = at(spec, 'resourceAttributes');
  const path = at(spec, 'nonResourceAttributes');
  return {
    isResourceRequest: resource !== undefined,
    path: text(path, 'path'),
    verb: text(resource ?? path, 'verb'),
    group: text(resource, 'group'),
    version: text(resource, 'version') || (resource === undefined ? '' : '*'),
    namespace: text(resource, 'namespace'),
    resource: text(resource, 'resource'),
    subresource: text(resource, 'subresource'),
    name: text(resource, 'name'),
  };
}
