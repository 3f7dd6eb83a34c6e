import { servedGroupVersions } from '#lib/api/kinds.ts';
import { typedObject } from '#lib/api/typed.ts';
import type { APIService } from '#lib/api/types/apiregistration.v1.ts';
import { API_SERVICES } from '#lib/api/types/resources.ts';
import { apiVersion, type GroupVersion } from '#lib/machinery/schema.ts';
import { parsedObject } from '#lib/storage/lookup.ts';
import type { StoredObject } from '#lib/storage/storage.ts';
import type { Priorities } from './priorities.ts';
import { type ApiServiceStore, storedApiService, storedApiServices } from './stored-api-services.ts';

/** A group version that a server behind a Service serves, as its APIService says. */
export interface RemoteService extends GroupVersion, Priorities {
  /** The name of the APIService. */
  readonly name: string;
  readonly service: { readonly namespace: string; readonly name: string; readonly port: number };
  /** Verifies the server's certificate, PEM; '' trusts the system's roots. */
  readonly caBundle: string;
  readonly insecureSkipTLSVerify: boolean;
  readonly isAvailable: boolean;
}

/** The APIServices that name a Service, but for those of built-in group versions: nobody takes these over. */
export interface RemoteServices {
  /** The server of a group version; undefined where this server serves it, or nobody. As of a second ago at most. */
  find(groupVersion: GroupVersion): Promise<RemoteService | undefined>;
  /** All, by name. Each is the very same as before while its APIService has not changed. */
  all(): Promise<readonly RemoteService[]>;
}

const builtIn = new Set(servedGroupVersions().map(apiVersion));

/** The group of this server's own paths for node agents: asking for another server of it would cost each look a read. */
const OWN = 'node.davit.dev';

/** Whether a group version may be another server's. */
export const mayBeRemote = (groupVersion: GroupVersion): boolean =>
  groupVersion.group !== '' &&
  groupVersion.group !== OWN &&
  groupVersion.version !== '' &&
  !builtIn.has(apiVersion(groupVersion));

const known = new WeakMap<StoredObject, { readonly remote: RemoteService | undefined }>();

/** Reads APIServices where they are stored: in memory, beside the definitions of custom resources. */
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

/** The server that an APIService names; undefined where it names none, or may not. */
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
    isAvailable: status.conditions?.find(({ type }) => type === 'Available')?.status === 'True',
    groupPriorityMinimum: spec.groupPriorityMinimum,
    versionPriority: spec.versionPriority,
  };
}
