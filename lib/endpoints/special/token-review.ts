import type { Authenticator } from '#lib/authentication/authenticator.ts';
import { ANONYMOUS } from '#lib/authentication/user.ts';
import { badRequest, StatusError } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { at, text } from '#lib/registry/kinds/shared/fields.ts';
import type { Handler } from '../filters/filter.ts';
import { createEndpoint, typed, type CreatePorts } from './create-endpoint.ts';
import { userInfo } from './user-info.ts';

const KIND = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenReview' };

/** Whose a token is, as this server sees it. */
export function tokenReviewEndpoint(ports: CreatePorts & { authenticator: Authenticator }): Handler {
  return createEndpoint(ports, {
    kind: KIND,
    namespaced: false,
    async act({ object, admit }) {
      const token = text(at(object, 'spec'), 'token');
      if (token === '') throw badRequest('token is required for TokenReview in authentication');
      await admit();
      return typed(KIND, { ...object, status: await review(ports.authenticator, token) });
    },
  });
}

async function review(authenticate: Authenticator, token: string): Promise<JsonObject> {
  try {
    const user = await authenticate({ authorization: `Bearer ${token}` });
    if (user === undefined || user === ANONYMOUS) return { user: {} };
    return { authenticated: true, user: userInfo(user) };
  } catch (error) {
    if (!(error instanceof StatusError) || error.reason !== 'Unauthorized') throw error;
    return { user: {}, error: 'invalid bearer token' };
  }
}
