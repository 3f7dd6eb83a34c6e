import type { Pod, PodDNSConfig } from '#lib/api/types/core.v1.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { quote } from '#lib/machinery/go.ts';
import { ipFamily } from '#lib/machinery/net/parse-addr.ts';
import { byteLength } from '#lib/machinery/validation/messages.ts';
import { podText } from '../../container/container-ref.ts';
import type { EventSubject, NodeEventRecorder } from '../../events/recorder.ts';
import { type DNSConfig, optionName, parseResolvConf } from './resolv-conf.ts';

const MAX_SERVERS = 3;
const MAX_SEARCHES = 32;
const MAX_SEARCH_LENGTH = 253;
const MAX_SEARCH_LINE = 2048;
/** Number of cluster domains in a pod's search list. */
const CLUSTER_SEARCHES = 3;
const CLUSTER_OPTIONS = ['ndots:5'];

/** The node's settings for the DNS of its pods. */
export interface DNSSettings {
  /** The Node, for events. */
  readonly node: EventSubject;
  readonly nodeIPs: readonly string[];
  /** Addresses of the cluster's DNS. Empty if it has none. */
  readonly clusterDNS: readonly string[];
  /** Empty if not configured. */
  readonly clusterDomain: string;
  /** The path of the host's resolv.conf, or empty for none. */
  readonly resolverConfig: string;
}

/** The ports of a configurer. */
export interface DNSPorts {
  readonly recorder: NodeEventRecorder;
  /** The text of a file. Throws the system's error, or an error for a file larger than 10 MiB. */
  read(path: string): Promise<string>;
}

/** Computes the DNS settings of pods (upstream: dns.Configurer). */
export class DNSConfigurer {
  readonly #settings: DNSSettings;
  readonly #ports: DNSPorts;

  constructor(settings: DNSSettings, ports: DNSPorts) {
    this.#settings = settings;
    this.#ports = ports;
  }

  /**
   * The settings of a pod from its policy and its own `dnsConfig`, truncated to the limits of resolvers. An event DNSConfigForming reports
   * omissions. Rejects if the host's resolv.conf cannot be read.
   */
  async podDNS(pod: Pod): Promise<{ servers: string[]; searches: string[]; options: string[] }> {
    const base = this.#base(pod, await this.#hostConfig());
    const { servers, searches, options } = merged(base, pod.spec.dnsConfig);
    return {
      servers: this.#fittingServers(servers, pod),
      searches: this.#fittingSearches(searches, pod),
      options: [...options],
    };
  }

  /**
   * Records an event about the Node if the host's resolv.conf is unreadable, or has more entries than pods can use in addition to the
   * cluster's domains.
   */
  async checkLimitsForResolvConf(): Promise<void> {
    const { resolverConfig, node } = this.#settings;
    if (resolverConfig === '') return;
    const why = await this.#limitsRefusal(resolverConfig);
    if (why !== undefined) this.#ports.recorder.event(node, 'Warning', 'CheckLimitsForResolvConf', why);
  }

  async #limitsRefusal(path: string): Promise<string | undefined> {
    try {
      const { searches } = parseResolvConf(await this.#ports.read(path));
      const most = this.#settings.clusterDomain === '' ? MAX_SEARCHES : MAX_SEARCHES - CLUSTER_SEARCHES;
      if (searches.length > most)
        return `Resolv.conf file '${path}' contains search line consisting of more than ${most} domains!`;
      if (searches.some((search) => byteLength(search) > MAX_SEARCH_LENGTH))
        return `Resolv.conf file ${quote(path)} contains a search path which length is more than allowed ${MAX_SEARCH_LENGTH} chars!`;
      if (byteLength(searches.join(' ')) > MAX_SEARCH_LINE)
        return `Resolv.conf file '${path}' contains search line which length is more than allowed ${MAX_SEARCH_LINE} chars!`;
      return undefined;
    } catch (error) {
      return messageOfError(error);
    }
  }

  async #hostConfig(): Promise<DNSConfig> {
    const { resolverConfig } = this.#settings;
    if (resolverConfig === '') return { servers: [], searches: [], options: [] };
    const text = await this.#ports.read(resolverConfig);
    try {
      return parseResolvConf(text);
    } catch (cause) {
      throw new Error(`Encountered error while parsing resolv conf file. Error: ${messageOfError(cause)}`, { cause });
    }
  }

  /** The settings for the pod's policy. */
  #base(pod: Pod, host: DNSConfig): DNSConfig {
    const { dnsPolicy, hostNetwork } = pod.spec;
    if (dnsPolicy === 'None') return { servers: [], searches: [], options: [] };
    const ofHost = dnsPolicy === 'Default' || (dnsPolicy === 'ClusterFirst' && hostNetwork === true);
    if (!ofHost && this.#settings.clusterDNS.length > 0) return this.#ofCluster(pod, host);
    if (!ofHost) this.#tellMissingDNS(pod);
    return this.#settings.resolverConfig === '' ? this.#localDNS(host) : host;
  }

  #ofCluster(pod: Pod, host: DNSConfig): DNSConfig {
    const { clusterDNS, clusterDomain } = this.#settings;
    const services = `svc.${clusterDomain}`;
    const own = [`${pod.metadata.namespace ?? ''}.${services}`, services, clusterDomain];
    return {
      servers: clusterDNS,
      searches: clusterDomain === '' ? host.searches : unique([...own, ...host.searches]),
      options: CLUSTER_OPTIONS,
    };
  }

  #tellMissingDNS(pod: Pod): void {
    const { recorder } = this.#ports;
    const fallback = 'Falling back to "Default" policy.';
    const message = `kubelet does not have ClusterDNS IP configured and cannot create Pod using "ClusterFirst" policy. ${fallback}`;
    recorder.event(this.#settings.node, 'Warning', 'MissingClusterDNS', message);
    recorder.event(pod, 'Warning', 'MissingClusterDNS', `pod: ${quote(podText(pod))}. ${message}`);
  }

  /** Uses the machine itself as the server, with one address per family of the node. Resolvers without a server do the same. */
  #localDNS({ options }: DNSConfig): DNSConfig {
    const servers = this.#settings.nodeIPs.map((ip) => (ipFamily(ip) === 6 ? '::1' : '127.0.0.1'));
    return { servers: servers.length === 0 ? ['127.0.0.1'] : servers, searches: ['.'], options };
  }

  #fittingServers(servers: readonly string[], pod: Pod): string[] {
    const fitting = servers.slice(0, MAX_SERVERS);
    if (fitting.length < servers.length)
      this.#tellOmitted(
        pod,
        `Nameserver limits were exceeded, some nameservers have been omitted, the applied nameserver line is: ${fitting.join(' ')}`,
      );
    return fitting;
  }

  #fittingSearches(searches: readonly string[], pod: Pod): string[] {
    const fitting = searches.slice(0, MAX_SEARCHES).filter((search) => byteLength(search) <= MAX_SEARCH_LENGTH);
    while (byteLength(fitting.join(' ')) > MAX_SEARCH_LINE) fitting.pop();
    if (fitting.length < searches.length)
      this.#tellOmitted(
        pod,
        `Search Line limits were exceeded, some search paths have been omitted, the applied search line is: ${fitting.join(' ')}`,
      );
    return fitting;
  }

  #tellOmitted(pod: Pod, message: string): void {
    this.#ports.recorder.event(pod, 'Warning', 'DNSConfigForming', message);
  }
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)];

/** The settings merged with those of the pod itself. Duplicates are removed, and options of the pod override others. */
function merged({ servers, searches, options }: DNSConfig, own: PodDNSConfig | undefined): DNSConfig {
  if (own === undefined) return { servers, searches, options };
  const byName = new Map(options.map((option) => [optionName(option), option]));
  for (const { name = '', value = '' } of own.options ?? []) byName.set(name, value === '' ? name : `${name}:${value}`);
  return {
    servers: unique([...servers, ...(own.nameservers ?? [])]),
    searches: unique([...searches, ...(own.searches ?? [])]),
    options: [...byName.values()],
  };
}
