import { timeOf } from '#lib/machinery/time-at.ts';
import type { Handler } from '../filters/filter.ts';
import { type CreatePorts, createEndpoint, typed } from './create-endpoint.ts';
import { userInfo } from './user-info.ts';

const KIND = { group: 'authentication.k8s.io', version: 'v1', kind: 'SelfSubjectReview' };

/** Serves SelfSubjectReviews: the requesting user. */
export function selfSubjectReviewEndpoint(ports: CreatePorts): Handler {
  return createEndpoint(ports, {
    kind: KIND,
    namespaced: false,
    async act({ context, op, admit }) {
      await admit();
      const metadata = { creationTimestamp: timeOf(op.now) };
      return typed(KIND, { metadata, status: { userInfo: userInfo(context.user) } });
    },
  });
}
