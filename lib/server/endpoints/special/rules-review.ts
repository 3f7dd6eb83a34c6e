import type { SelfSubjectRulesReview } from '#lib/api/types/authorization.v1.ts';
import { badRequest } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { RuleResolver } from '#lib/server/authorization/rule-resolver.ts';
import type { Handler } from '../filters/filter.ts';
import { type CreatePorts, createEndpoint, type KindOf, typed } from './create-endpoint.ts';

const KIND: KindOf<SelfSubjectRulesReview> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectRulesReview',
};

/** Serves SelfSubjectRulesReviews: the rules of the requesting user in a namespace. */
export function rulesReviewEndpoint(ports: CreatePorts & { readonly ruleResolver: RuleResolver }): Handler {
  return createEndpoint(ports, {
    kind: KIND,
    namespaced: false,
    async act({ context, object, admit }) {
      const { namespace = '' } = object.spec;
      if (namespace === '') throw badRequest('no namespace on request');
      await admit();
      const status: JsonObject = { ...(await ports.ruleResolver(context.user, namespace)) };
      return typed(KIND, { metadata: {}, spec: {}, status });
    },
  });
}
