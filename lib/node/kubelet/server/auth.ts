import type { Clock } from '#lib/machinery/clock.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { anonymous } from '#lib/server/authentication/anonymous.ts';
import {
  type Authenticator,
  firstOf,
  type TokenAuthenticator,
  withAuthenticatedGroup,
} from '#lib/server/authentication/authenticator.ts';
import { bearerToken, webSocketToken } from '#lib/server/authentication/bearer-token.ts';
import type { User } from '#lib/server/authentication/user.ts';
import { x509 } from '#lib/server/authentication/x509.ts';
import type { Attributes, Authorizer } from '#lib/server/authorization/authorizer.ts';
import { type NodeAnswer, type NodeRequest, textAnswer } from './node-request.ts';
import type { Permit } from './permit.ts';
import { firstSegment } from './routes.ts';

/** The node subresources whose permission grants access to a path, by its first segment, in the order of the checks. */
const SUBRESOURCES: ReadonlyMap<string, readonly string[]> = new Map([
  ['pods', ['pods', 'proxy']],
  ['runningpods', ['pods', 'proxy']],
  ['healthz', ['healthz', 'proxy']],
  ['configz', ['configz', 'proxy']],
  ['stats', ['stats']],
  ['metrics', ['metrics']],
  ['logs', ['log']],
  ['checkpoint', ['checkpoint']],
  ['statusz', ['statusz']],
  ['flagz', ['configz']],
]);
const EVERYTHING_ELSE = ['proxy'];

const VERBS: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

type RequestLine = Pick<NodeRequest, 'method' | 'path' | 'isUpgrade'>;

/**
 * The actions on the node, one of which must be allowed, in order (upstream: GetRequestAttributes). The verb is '' for a method without
 * one. An upgrade is a `create` for any method, because it runs a command.
 */
export function requestAttributes(node: string, { method, path, isUpgrade }: RequestLine): Attributes[] {
  const verb = isUpgrade ? 'create' : (ownField(VERBS, method) ?? '');
  const subresources = SUBRESOURCES.get(firstSegment(path)) ?? EVERYTHING_ELSE;
  return subresources.map((subresource) => ({
    isResourceRequest: true,
    path,
    verb,
    group: '',
    version: 'v1',
    namespace: '',
    resource: 'nodes',
    subresource,
    name: node,
  }));
}

/** The settings for authentication at a node's port. */
export interface NodeAuthentication {
  readonly clock: Clock;
  /** Whether client certificates of a CA are accepted. */
  readonly x509: boolean;
  /** Absent if tokens are not accepted. */
  readonly tokens?: TokenAuthenticator;
  readonly anonymous: boolean;
}

/** The authenticator for a node's port, in upstream's order (BuildAuthn). Throws Error without any method. */
export function nodeAuthenticator({ clock, tokens, ...options }: NodeAuthentication): Authenticator {
  const chain = [
    ...(options.x509 ? [x509(clock)] : []), // the connection's certificate, verified by TLS
    ...(tokens === undefined ? [] : [bearerToken(tokens), webSocketToken(tokens)]),
  ];
  if (chain.length === 0 && !options.anonymous) throw new Error('no authentication method configured');
  const known = withAuthenticatedGroup(firstOf(chain));
  if (!options.anonymous) return known;
  const nobody = anonymous();
  return async (credentials) => (await known(credentials)) ?? nobody(credentials); // an invalid credential is never treated as anonymous
}

/** The ports for authorization at a node's port. */
export interface NodeAuth {
  readonly node: string;
  readonly authenticate: Authenticator;
  readonly authorize: Authorizer;
  /** Called when authentication or authorization of a client fails with an error. */
  onFault(error: unknown): void;
}

/** Authorizes requests at the node's port according to their users' permissions (upstream: InstallAuthFilter). */
export function userPermit(auth: NodeAuth): Permit {
  return async (request) => {
    const user = await userOf(auth, request);
    return user === undefined ? textAnswer(401, 'Unauthorized') : refusal(auth, request, user);
  };
}

async function userOf({ authenticate, onFault }: NodeAuth, request: NodeRequest): Promise<User | undefined> {
  const { path, headers, clientCertificate } = request;
  const header = (name: string): readonly string[] => [ownField(headers, name) ?? []].flat();
  const shown = { path, headers: header, headerNames: Object.keys(headers), warn: () => undefined };
  try {
    const known = await authenticate(clientCertificate === undefined ? shown : { ...shown, clientCertificate });
    return known?.user;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    onFault(error);
    return undefined;
  }
}

async function refusal(
  { node, authorize, onFault }: NodeAuth,
  request: NodeRequest,
  user: User,
): Promise<NodeAnswer | undefined> {
  const asked = requestAttributes(node, request);
  for (const attributes of asked) {
    const { decision, error } = await authorize(user, attributes);
    if (decision === 'allow') return undefined;
    if (error === undefined) continue;
    onFault(new Error(error));
    const { verb, subresource } = attributes;
    const about = `user=${user.name}, verb=${verb}, resource=nodes, subresource=${subresource}`;
    return textAnswer(500, `Authorization error (${about})`);
  }
  const names = asked.map(({ subresource }) => subresource).join(' ');
  const about = `user=${user.name}, verb=${asked[0]?.verb ?? ''}, resource=nodes, subresource(s)=[${names}]`;
  return textAnswer(403, `Forbidden (${about})\n`);
}
