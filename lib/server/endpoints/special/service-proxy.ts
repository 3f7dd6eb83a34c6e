import type { EndpointAddress, Pod } from '#lib/api/types/core.v1.ts';
import { ENDPOINTS, PODS, SERVICES } from '#lib/api/types/resources.ts';
import { StatusError, serviceUnavailable } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import type { Handler } from '../filters/filter.ts';
import { type ConnectPorts, connectEndpoint, type Reader } from './connect.ts';
import { SERVICE_PROXY } from './connect-options.ts';
import { proxy, proxyName, wayToPod } from './proxy.ts';

/** Serves `services/proxy`: forwards the request to an endpoint of the Service that is a pod in its namespace. */
export const serviceProxyEndpoint = (ports: ConnectPorts): Handler =>
  connectEndpoint(ports, SERVICE_PROXY, async (find, { request, info, user }) => {
    const { scheme, name, port } = proxyName(info.name, 'service');
    const portName = /^\d+$/.test(port) ? await servicePort(find, name, Number(port)) : port;
    const { subsets = [] } = await find(ENDPOINTS, name);
    if (subsets.length === 0) throw serviceUnavailable(`no endpoints available for service ${quote(name)}`);
    for (const { addresses = [], ports: endpointPorts = [] } of subsets) {
      const found = endpointPorts.find((one) => (one.name ?? '') === portName);
      if (found === undefined) continue;
      for (const address of addresses) {
        const pod = await podOf(find, address, info.namespace);
        if (pod === undefined) continue;
        const via = await wayToPod(find, ports.backends, pod, user.name);
        const place = { host: address.ip, port: String(found.port), scheme, via };
        return proxy(ports.backends, { request, info }, place);
      }
    }
    throw serviceUnavailable(`no endpoints available for service ${quote(info.name)}`);
  });

/**
 * Returns the pod with the address. Users with the right to write endpoints must not make the server call arbitrary addresses: upstream's
 * isValidAddress.
 */
async function podOf(find: Reader, { ip, targetRef }: EndpointAddress, namespace: string): Promise<Pod | undefined> {
  if ((targetRef?.namespace ?? '') !== namespace) return undefined;
  const pod = await find(PODS, targetRef?.name ?? '').catch((error: unknown) => {
    if (error instanceof StatusError) return undefined; // not found, or not a pod name: try the next address
    throw error;
  });
  return pod?.status.podIPs?.some((one) => one.ip === ip) === true ? pod : undefined;
}

/** Returns the name of the port with that number. */
async function servicePort(find: Reader, name: string, port: number): Promise<string> {
  const { spec } = await find(SERVICES, name);
  const found = spec.ports?.find((one) => one.port === port);
  if (found === undefined) throw serviceUnavailable(`no service port ${port} found for service ${quote(name)}`);
  return found.name ?? '';
}
