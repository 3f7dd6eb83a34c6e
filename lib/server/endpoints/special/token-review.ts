import type { TokenReview } from '#lib/api/types/authentication.v1.ts';
import { badRequest, StatusError } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { Authentication, Authenticator, Credentials } from '#lib/server/authentication/authenticator.ts';
import type { Handler } from '../filters/filter.ts';
import { type CreatePorts, createEndpoint, type KindOf, typed } from './create-endpoint.ts';
import { userInfo } from './user-info.ts';

const KIND: KindOf<TokenReview> = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenReview' };

/** The ports of TokenReviews. */
export interface TokenReviewPorts extends CreatePorts {
  readonly authenticator: Authenticator;
  readonly audiences?: readonly string[];
}

/** Reviews which user a token authenticates at this server. */
export function tokenReviewEndpoint(ports: TokenReviewPorts): Handler {
  return createEndpoint(ports, {
    kind: KIND,
    namespaced: false,
    async act({ object, admit, context }) {
      const { token = '', audiences: named = [] } = object.spec;
      if (token === '') throw badRequest('token is required for TokenReview in authentication');
      await admit();
      const audiences = named.length > 0 ? named : (ports.audiences ?? []);
      const annotate = (key: string, value: string): void => void context.annotations.set(key, value);
      const credentials = { token, audiences, warn: context.warn, annotate };
      return typed(KIND, { ...object, status: await review(ports.authenticator, credentials) });
    },
  });
}

interface ReviewedToken extends Pick<Credentials, 'warn' | 'annotate'> {
  readonly token: string;
  readonly audiences: readonly string[];
}

/** Authenticates the token like a request that contains only the token. */
async function review(authenticate: Authenticator, { token, audiences, ...tells }: ReviewedToken): Promise<JsonObject> {
  const shown = {
    path: '',
    headers: (name: string) => (name === 'authorization' ? [`Bearer ${token}`] : []),
    headerNames: ['authorization'],
    ...(audiences.length === 0 ? {} : { audiences }),
    ...tells,
  };
  try {
    return statusOf(await authenticate(shown));
  } catch (error) {
    if (!(error instanceof StatusError) || error.reason !== 'Unauthorized') throw error;
    return { user: {}, error: error.message };
  }
}

function statusOf(known: Authentication | undefined): JsonObject {
  if (known === undefined) return { user: {} };
  const { user, audiences = [] } = known;
  return {
    authenticated: true,
    user: userInfo(user),
    ...(audiences.length === 0 ? {} : { audiences: [...audiences] }),
  };
}
