import { servedGroupVersions } from '#lib/api/kinds.ts';
import { typedObject } from '#lib/api/typed.ts';
import type { APIService } from '#lib/api/types/apiregistration.v1.ts';
import { API_SERVICES } from '#lib/api/types/resources.ts';
import { isConditionTrue } from '#lib/machinery/conditions.ts';
import { apiVersion, type GroupVersion } from '#lib/machinery/schema.ts';
import { parsedObject } from '#lib/storage/lookup.ts';
import type { StoredObject } from '#lib/storage/storage.ts';
import type { Priorities } from './priorities.ts';
import { type ApiServiceStore, storedApiService, storedApiServices } from './stored-api-services.ts';

/** A group version that a server behind a Service serves according to its APIService. */
export interface RemoteService extends GroupVersion, Priorities {
  /** The name of the APIService. */
  readonly name: string;
  readonly service: { readonly namespace: string; readonly name: string; readonly port: number };
  /** The PEM certificates that verify the server. '' means the system's roots. */
  readonly caBundle: string;
  readonly insecureSkipTLSVerify: boolean;
  readonly isAvailable: boolean;
}

/** The APIServices that name a Service, except those of built-in group versions, which no server may take over. */
export interface RemoteServices {
  /** Returns the server of a group version. Undefined if this server serves it, or no server does. At most a second old. */
  find(groupVersion: GroupVersion): Promise<RemoteService | undefined>;
  /** Returns all services by name. Each is the identical object until its APIService changes. */
  all(): Promise<readonly RemoteService[]>;
}

const builtIn = new Set(servedGroupVersions().map(apiVersion));

/** The group of this server's own paths for node agents. Looking up another server for it would cost a read per poll. */
const OWN = 'node.davit.dev';

/** Whether another server may serve a group version. */
export const mayBeRemote = (groupVersion: GroupVersion): boolean =>
  groupVersion.group !== '' &&
  groupVersion.group !== OWN &&
  groupVersion.version !== '' &&
  !builtIn.has(apiVersion(groupVersion));

const known = new WeakMap<StoredObject, { readonly remote: RemoteService | undefined }>();

/** Reads APIServices from the memory of the storage, next to the definitions of custom resources. */
export const remoteServices = (store: ApiServiceStore): RemoteServices => ({
  async find(groupVersion) {
    if (!mayBeRemote(groupVersion)) return undefined;
    const stored = await storedApiService(store, groupVersion);
    return stored && remoteOf(stored);
  },
  all: async () => (await storedApiServices(store)).flatMap((stored) => remoteOf(stored) ?? []),
});

function remoteOf(stored: StoredObject): RemoteService | undefined {
  const held = known.get(stored) ?? { remote: remoteService(typedObject(API_SERVICES, parsedObject(stored))) };
  known.set(stored, held);
  return held.remote;
}

/** Returns the server that an APIService names. Undefined if it names none, or a forbidden one. */
export function remoteService({ metadata, spec, status }: APIService): RemoteService | undefined {
  const { group = '', version = '', service, caBundle = '', insecureSkipTLSVerify = false } = spec;
  if (service === undefined || !mayBeRemote({ group, version })) return undefined;
  const { namespace = '', name = '', port = 443 } = service;
  return {
    name: metadata.name ?? '',
    group,
    version,
    service: { namespace, name, port },
    caBundle: Buffer.from(caBundle, 'base64').toString('utf8'),
    insecureSkipTLSVerify,
    isAvailable: isConditionTrue(status.conditions, 'Available'),
    groupPriorityMinimum: spec.groupPriorityMinimum,
    versionPriority: spec.versionPriority,
  };
}
