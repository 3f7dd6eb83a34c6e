import type { AuthorizationAttributes, AuthorizationDecision, Authorize } from '#lib/api/cel/library/authorizer.ts';
import type { User } from '#lib/server/authentication/user.ts';
import type { Attributes as Asked, Authorizer } from '#lib/server/authorization/authorizer.ts';
import { readSelectors } from '#lib/server/authorization/read-selectors.ts';

const PENDING: AuthorizationDecision = { allowed: false, reason: '' };

/**
 * Makes authorization decisions available to CEL expressions, which cannot wait. An unknown decision is recorded as pending, and the
 * expression runs again once it is known. Decisions are cached per request, as in upstream's caching authorizer.
 */
export class Decisions {
  readonly #user: User;
  readonly #authorizer: Authorizer;
  readonly #known = new Map<string, AuthorizationDecision>();
  #asked = new Map<string, AuthorizationAttributes>();

  constructor(user: User, authorizer: Authorizer) {
    this.#user = user;
    this.#authorizer = authorizer;
  }

  readonly authorize: Authorize = (attributes) => {
    const key = JSON.stringify(attributes);
    const known = this.#known.get(key);
    if (known === undefined) this.#asked.set(key, attributes);
    return known ?? PENDING;
  };

  /** Whether any authorization check is pending. */
  get arePending(): boolean {
    return this.#asked.size > 0;
  }

  /** Decides all pending checks. */
  async settle(): Promise<void> {
    const pending = this.#asked;
    this.#asked = new Map();
    await Promise.all([...pending].map(async ([key, one]) => void this.#known.set(key, await this.#decide(one))));
  }

  async #decide(attributes: AuthorizationAttributes): Promise<AuthorizationDecision> {
    const { serviceAccount } = attributes;
    const user = serviceAccount === undefined ? this.#user : accountUser(serviceAccount);
    try {
      const { decision, reason } = await this.#authorizer(user, asked(attributes));
      return { allowed: decision === 'allow', reason };
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return { allowed: false, reason: '', error: error.message };
    }
  }
}

function asked({
  path,
  verb,
  group,
  resource,
  subresource,
  namespace,
  name,
  ...selectors
}: AuthorizationAttributes): Asked {
  return {
    ...(path === undefined ? readSelectors(selectors) : {}),
    isResourceRequest: path === undefined,
    path: path ?? '',
    verb,
    group: group ?? '',
    version: path === undefined ? '*' : '',
    resource: resource ?? '',
    subresource: subresource ?? '',
    namespace: namespace ?? '',
    name: name ?? '',
  };
}

function accountUser({ namespace, name }: { readonly namespace: string; readonly name: string }): User {
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
  };
}
