import { systemClock as clock } from '#adapters/clock.ts';
import type { ConfigMap, Secret, Service } from '#lib/api/types/core.v1.ts';
import { RUNTIME_CLASSES, SERVICES } from '#lib/api/types/resources.ts';
import { configMapOf, nodeConfigMaps } from '#lib/node/kubelet/configmap/config-maps.ts';
import { RuntimeClassManager } from '#lib/node/kubelet/runtimeclass/runtime-class-manager.ts';
import { nodeSecrets, secretOf } from '#lib/node/kubelet/secret/secrets.ts';
import { requestToken } from '#lib/node/kubelet/token/request-token.ts';
import { ServiceAccountTokens } from '#lib/node/kubelet/token/service-account-tokens.ts';
import { objectTTL, type ReferencedObjects } from '#lib/node/kubelet/util/manager/referenced-objects.ts';
import type { PodContext } from './context.ts';
import { Followed } from './followed.ts';
import type { Following } from './following.ts';
import { withFrontDoor } from './front-door.ts';

/** The API objects that pods of this node need. */
export class ApiObjects {
  readonly secrets: ReferencedObjects<Secret>;
  readonly configMaps: ReferencedObjects<ConfigMap>;
  readonly tokens: ServiceAccountTokens;
  readonly runtimeClasses: RuntimeClassManager;
  readonly following: Following;
  readonly #context: PodContext;
  readonly #services = new Followed<Service>(SERVICES);

  constructor(context: PodContext) {
    const { client, log, node } = context;
    this.#context = context;
    context.objects.listen(SERVICES, this.#services);
    const following = (this.following = context.following);
    const ttl = (): number | undefined => following.goodFor ?? objectTTL(node.latest.metadata.annotations);
    this.secrets = nodeSecrets(client, { clock, ttl });
    this.configMaps = nodeConfigMaps(client, { clock, ttl });
    following.listen('secrets', ({ objects }) => objects && this.secrets.outdate(objects));
    following.listen('configmaps', ({ objects }) => objects && this.configMaps.outdate(objects));
    this.tokens = new ServiceAccountTokens({
      clock,
      random: () => Math.random(),
      request: (spec) => requestToken(client, spec),
      log: (message) => log.info(message),
    });
    this.runtimeClasses = new RuntimeClassManager({
      from: following.listWatch('runtimeclasses', RUNTIME_CLASSES),
      clock,
      random: () => Math.random(),
      onFault: log.fault('cannot follow runtime classes'),
    });
  }

  /** Throws StatusError NotFound if it does not exist. */
  secret(namespace: string, name: string): Promise<Secret> {
    return secretOf(this.secrets, namespace, name);
  }

  /** Throws StatusError NotFound if it does not exist. */
  configMap(namespace: string, name: string): Promise<ConfigMap> {
    return configMapOf(this.configMaps, namespace, name);
  }

  /** The Services of all namespaces. The API server's Service has the address at which this node reaches the API server. */
  services(): readonly Service[] | undefined {
    const services = this.#services.all();
    return services && withFrontDoor(services, this.#context.connection.url);
  }

  /** Follows the watched objects until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    return this.runtimeClasses.run(signal);
  }
}
