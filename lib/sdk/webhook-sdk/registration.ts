import type { Client, ObjectRef } from '#lib/client/client.ts';
import type { ObjectChange, Reconciler } from '#lib/client/controller/reconciler.ts';
import { type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { WebhookDeclaration } from './declaration.ts';
import { NAMESPACE, REGISTRATION } from './names.ts';
import { configurationObject, fullName, MANAGED, NAMESPACE_OBJECT, serviceObject } from './objects.ts';

/** The ports of the registration. */
export interface RegistrationPorts {
  readonly client: Client;
  /** All current declarations. */
  declarations(): readonly WebhookDeclaration[];
  /** The name with which a webhook's function is called. Defaults to the webhook's name. */
  functionName?(declaration: WebhookDeclaration): string;
  /** Calls `changed` whenever the declarations change. */
  onDeclared?(changed: () => void): void;
}

const ADMISSION = { group: 'admissionregistration.k8s.io', version: 'v1' };
const CONFIGURATIONS = {
  Mutating: { ...ADMISSION, resource: 'mutatingwebhookconfigurations' },
  Validating: { ...ADMISSION, resource: 'validatingwebhookconfigurations' },
};
const DEFINITIONS = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
const SERVICES = { group: '', version: 'v1', resource: 'services' };
const NAMESPACES = { group: '', version: 'v1', resource: 'namespaces' };
const APPLY = { fieldManager: 'davit-webhooks', force: true };
const ALL = REGISTRATION.name;

/**
 * Maintains the objects through which declared webhooks are called: a Service for each, its configuration, and the conversion of its
 * definition. Deletes the configurations and Services of webhooks that are no longer declared. Keeps a conversion, because otherwise its
 * objects would become unreadable.
 */
export function webhookRegistration(ports: RegistrationPorts): Reconciler {
  return {
    name: REGISTRATION.reconciler,
    initial: [ALL],
    keys: (change) => (concerns(change, ports.declarations()) ? [ALL] : []),
    subscribe: (add) => ports.onDeclared?.(() => add(ALL)),
    async reconcile() {
      const declarations = ports.declarations();
      if (declarations.length > 0)
        await ports.client.apply(refOf(NAMESPACES, NAMESPACE_OBJECT), NAMESPACE_OBJECT, APPLY);
      for (const declaration of declarations) await register(declaration, ports);
      await removeOthers(declarations, ports.client);
      return undefined;
    },
  };
}

function concerns({ group, resource, name, namespace }: ObjectChange, all: readonly WebhookDeclaration[]): boolean {
  if (group === ADMISSION.group) return all.some((one) => fullName(one) === name);
  if (group === DEFINITIONS.group) return all.some((one) => one.type === 'Conversion' && one.definition === name);
  return resource === 'services' && namespace === NAMESPACE && all.some((one) => one.name === name);
}

async function register(declaration: WebhookDeclaration, ports: RegistrationPorts): Promise<void> {
  const { client, functionName = ({ name }) => name } = ports;
  const service = serviceObject(declaration, functionName(declaration));
  await client.apply(refOf(SERVICES, service), service, APPLY);
  const object = configurationObject(declaration);
  if (object === undefined) return;
  const ref = refOf(resourceOf(declaration), object);
  // For a missing definition, an apply would create one that has only a conversion. The definition's creation triggers another
  // reconciliation.
  if (declaration.type === 'Conversion' && (await client.get(ref)) === undefined) return;
  await client.apply(ref, object, APPLY);
}

async function removeOthers(declarations: readonly WebhookDeclaration[], client: Client): Promise<void> {
  const labelSelector = MANAGED.join('=');
  for (const type of ['Mutating', 'Validating'] as const) {
    const declared = new Set(declarations.filter((one) => one.type === type).map(fullName));
    await removeFrom(client, { resource: CONFIGURATIONS[type], found: { labelSelector }, declared });
  }
  const declared = new Set(declarations.map(({ name }) => name));
  await removeFrom(client, { resource: SERVICES, found: { labelSelector, namespace: NAMESPACE }, declared });
}

interface OwnRegistrations {
  readonly resource: ObjectRef['resource'];
  readonly found: { readonly labelSelector: string; readonly namespace?: string };
  readonly declared: ReadonlySet<string>;
}

async function removeFrom(client: Client, { resource, found, declared }: OwnRegistrations): Promise<void> {
  for (const object of await client.list(resource, found))
    if (!declared.has(nameOf(object))) await client.delete(refOf(resource, object));
}

function resourceOf({ type }: WebhookDeclaration): ObjectRef['resource'] {
  return type === 'Mutating' || type === 'Validating' ? CONFIGURATIONS[type] : DEFINITIONS;
}

function refOf(resource: ObjectRef['resource'], object: JsonObject): ObjectRef {
  const namespace = stringAt(objectAt(object, 'metadata'), 'namespace') ?? '';
  return { resource, namespace, name: nameOf(object) };
}
