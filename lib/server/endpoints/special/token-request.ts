import { typedObject } from '#lib/api/typed.ts';
import type { BoundObjectReference, TokenRequest, TokenRequestSpec } from '#lib/api/types/authentication.v1.ts';
import type { Pod, ServiceAccount } from '#lib/api/types/core.v1.ts';
import { NODES, PODS, SECRETS, SERVICE_ACCOUNTS } from '#lib/api/types/resources.ts';
import { defined } from '#lib/machinery/defined.ts';
import { badRequest, conflict, invalid, noSuchPath, StatusError } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import { parseApiVersion, type ResourceOf } from '#lib/machinery/schema.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import { type FieldError, FieldPath, invalid as invalidField } from '#lib/machinery/validation/field.ts';
import type { TokenIssuer } from '#lib/server/authentication/token-issuer.ts';
import type { BuiltInResources } from '#lib/server/registry/built-in.ts';
import type { OperationContext } from '#lib/server/registry/rest/context.ts';
import type { Handler } from '../filters/filter.ts';
import { type CreatePorts, type Creation, createEndpoint, type KindOf, typed } from './create-endpoint.ts';
import { definitionOf, read } from './stored.ts';
import { type Bound, claims } from './token-claims.ts';

const TOKEN_REQUEST: KindOf<TokenRequest> = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' };
const EXPIRATION = FieldPath.of('spec', 'expirationSeconds');
const DEFAULT = 3600;
const SHORTEST = 600;
const LONGEST = 2 ** 32;

/** The ports of TokenRequests. */
export interface TokenPorts extends CreatePorts {
  readonly builtIn: BuiltInResources;
  /** Without an issuer the endpoint returns 404, like a server without a signing key. */
  readonly tokenIssuer?: TokenIssuer;
}

/** Issues a token for a service account, bound to a pod, a secret or a node if the request names one. */
export function tokenEndpoint(ports: TokenPorts): Handler {
  return createEndpoint(ports, {
    kind: TOKEN_REQUEST,
    namespaced: true,
    keepsSystemFields: true,
    default: ({ spec }) => void (spec.expirationSeconds ??= DEFAULT),
    act: (creation) => request(ports, creation),
  });
}

async function request({ builtIn, tokenIssuer }: TokenPorts, { context, op, object, admit }: Creation<TokenRequest>) {
  const { name, namespace } = context.info;
  const account = await read(definitionOf(builtIn, SERVICE_ACCOUNTS), op, name);
  identify(object, account);
  const { spec, metadata } = object;
  if ((spec.audiences ?? []).length === 0) spec.audiences = [...(tokenIssuer?.audiences ?? [])];
  const errors = expirationErrors(spec);
  if (errors.length > 0) throw invalid(TOKEN_REQUEST, '', errors);
  await admit();
  const bound = await boundObject(builtIn, op, { account: name, reference: spec.boundObjectRef ?? undefined });
  if (tokenIssuer === undefined) throw noSuchPath();
  const seconds = shortened(spec, tokenIssuer.maxExpirationSeconds, op);
  metadata.creationTimestamp = timeOf(op.now);
  const token = await tokenIssuer.sign(claims({ issuer: tokenIssuer, namespace, account, spec, bound, now: op.now }));
  const expires = timeOf(op.now.getTime() + seconds * 1000);
  return typed(TOKEN_REQUEST, { ...object, status: { token, expirationTimestamp: expires } });
}

/** Checks that the request concerns the account in the path. A uid selects one of several accounts with that name over time. */
function identify(object: TokenRequest, account: ServiceAccount): void {
  const { metadata } = object;
  const [name, uid] = [nameOf(account), uidOf(account)];
  const given = metadata.uid ?? '';
  if (nameOf(object) !== '' && nameOf(object) !== name) {
    const why = 'must match the service account name if specified';
    throw invalid(TOKEN_REQUEST, name, [invalidField(FieldPath.of('metadata', 'name'), nameOf(object), why)]);
  }
  const shownIn = metadata.namespace ?? '';
  if (shownIn !== '' && shownIn !== namespaceOf(account)) {
    const why = 'must match the service account namespace if specified';
    throw invalid(TOKEN_REQUEST, name, [invalidField(FieldPath.of('metadata', 'namespace'), shownIn, why)]);
  }
  if (given !== '' && given !== uid) {
    const why = `the UID in the token request (${given}) does not match the UID of the service account (${uid})`;
    throw conflict({ group: TOKEN_REQUEST.group, resource: TOKEN_REQUEST.kind }, name, why);
  }
  delete metadata.namespace;
  Object.assign(metadata, { name, namespace: namespaceOf(account), uid });
  const untyped: JsonObject = object;
  delete untyped['status']; // only the response has a status
}

/** Returns the expiration in seconds, limited to the issuer's maximum. */
function shortened(spec: TokenRequestSpec, most: number | undefined, { warn }: OperationContext): number {
  const requested = Number(spec.expirationSeconds ?? 0);
  if (most === undefined || requested <= most) return requested;
  warn(`requested expiration of ${requested} seconds shortened to ${most} seconds`);
  spec.expirationSeconds = most;
  return most;
}

function expirationErrors(spec: TokenRequestSpec): FieldError[] {
  const seconds = spec.expirationSeconds ?? 0;
  if (Number(seconds) < SHORTEST)
    return [invalidField(EXPIRATION, seconds, 'may not specify a duration less than 10 minutes')];
  if (Number(seconds) > LONGEST)
    return [invalidField(EXPIRATION, seconds, 'may not specify a duration larger than 2^32 seconds')];
  return [];
}

const BINDABLE: Readonly<
  Record<string, { field: keyof Bound; resource: ResourceOf<JsonObject>; namespaced: boolean }>
> = {
  Pod: { field: 'pod', resource: PODS, namespaced: true },
  Secret: { field: 'secret', resource: SECRETS, namespaced: true },
  Node: { field: 'node', resource: NODES, namespaced: false },
};

async function boundObject(
  builtIn: BuiltInResources,
  op: OperationContext,
  { account, reference }: { account: string; reference: BoundObjectReference | undefined },
): Promise<Bound> {
  if (reference === undefined) return {};
  const { kind = '', name = '', uid = '' } = reference;
  const { group, version } = parseApiVersion(reference.apiVersion ?? '') ?? { group: '', version: '' };
  const known = group === '' && Object.hasOwn(BINDABLE, kind) ? BINDABLE[kind] : undefined;
  if (known === undefined) throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
  if (name === '') throw badRequest('Name parameter required.');
  const place = known.namespaced ? op : { ...op, namespace: '' };
  const found = await read(definitionOf(builtIn, known.resource), place, name);
  const node = known.field === 'pod' ? await nodeOf(builtIn, op, typedObject(PODS, found), account) : undefined;
  if (uid !== '' && uid !== uidOf(found)) {
    const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw conflict({ group: '', resource: kind }, name, why);
  }
  return { [known.field]: found, ...defined({ node }) };
}

/** Returns the pod's node, or only its name if the Node does not exist. */
async function nodeOf(
  builtIn: BuiltInResources,
  op: OperationContext,
  { spec }: Pod,
  account: string,
): Promise<JsonObject | undefined> {
  if ((spec.serviceAccountName ?? '') !== account) {
    throw badRequest(
      `cannot bind token for serviceaccount ${quote(account)} to pod running with different serviceaccount name.`,
    );
  }
  const name = spec.nodeName ?? '';
  if (name === '') return undefined;
  return read<JsonObject>(definitionOf(builtIn, NODES), { ...op, namespace: '' }, name).catch((error: unknown) => {
    if (error instanceof StatusError && error.reason === 'NotFound') return { metadata: { name } };
    throw error;
  });
}
