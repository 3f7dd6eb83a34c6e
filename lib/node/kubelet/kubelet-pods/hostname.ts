import type { Pod } from '#lib/api/types/core.v1.ts';
import { quote } from '#lib/machinery/go.ts';
import { byteLength } from '#lib/machinery/validation/messages.ts';
import { isDNS1123Label, isDNS1123Subdomain } from '#lib/machinery/validation/names.ts';

const MAX_HOSTNAME = 63;
const MAX_NODENAME = 64;

/**
 * A pod's hostname of at most 63 characters, and its domain, which may be empty (upstream: GeneratePodHostNameAndDomain). Throws Error with
 * upstream's text for an invalid name.
 */
export function hostnameAndDomain(
  { metadata: { name = '', namespace = '' }, spec }: Pod,
  clusterDomain: string,
): { readonly hostname: string; readonly domain: string } {
  const { hostnameOverride, hostname = '', subdomain = '' } = spec;
  if (hostnameOverride !== undefined) {
    refuse(
      isDNS1123Subdomain(hostnameOverride),
      `pod HostnameOverride ${quote(hostnameOverride)} is not a valid DNS subdomain`,
    );
    return { hostname: truncated(name, hostnameOverride), domain: '' };
  }
  if (hostname !== '') refuse(isDNS1123Label(hostname), `pod Hostname ${quote(hostname)} is not a valid DNS label`);
  const short = truncated(name, hostname === '' ? name : hostname);
  if (subdomain === '') return { hostname: short, domain: '' };
  refuse(isDNS1123Label(subdomain), `pod Subdomain ${quote(subdomain)} is not a valid DNS label`);
  return { hostname: short, domain: `${subdomain}.${namespace}.svc.${clusterDomain}` };
}

function refuse(errors: readonly string[], message: string): void {
  if (errors.length > 0) throw new Error(`${message}: ${errors.join(';')}`);
}

function truncated(pod: string, hostname: string): string {
  if (hostname.length <= MAX_HOSTNAME) return hostname;
  const short = hostname.slice(0, MAX_HOSTNAME).replace(/[-.]+$/, '');
  if (short === '') throw new Error(`hostname for pod ${quote(pod)} was invalid: ${quote(hostname)}`);
  return short;
}

/**
 * The hostname that the kernel reports in a pod, with the domain if `fqdn` is set. Throws Error for a full name of more than 64 characters,
 * which the kernel does not accept.
 */
export function nodenameForKernel(hostname: string, domain: string, fqdn: boolean): string {
  if (domain === '' || !fqdn) return hostname;
  const full = `${hostname}.${domain}`;
  const length = byteLength(full);
  if (length <= MAX_NODENAME) return full;
  const bounds = `(${MAX_NODENAME} characters is the max, ${length} characters requested)`;
  throw new Error(`failed to construct FQDN from pod hostname and cluster domain, FQDN ${full} is too long ${bounds}`);
}
