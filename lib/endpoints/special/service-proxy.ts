import { serviceUnavailable, StatusError } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { at, count, items, text } from '#lib/machinery/unstructured.ts';
import type { Handler } from '../filters/filter.ts';
import { connect, type ConnectPorts, type Reader } from './connect.ts';
import { SERVICE_PROXY } from './connect-options.ts';
import { proxy, proxyName } from './proxy.ts';

/** `services/proxy`: an endpoint of the Service that is a pod of its namespace. */
export const serviceProxyEndpoint = (ports: ConnectPorts): Handler =>
  connect(ports, SERVICE_PROXY, async (find, request, { info }) => {
    const { scheme, name, port } = proxyName(info.name, 'service');
    const portName = /^\d+$/.test(port) ? await servicePort(find, name, Number(port)) : port;
    const subsets = items(await find('endpoints', name), 'subsets');
    if (subsets.length === 0) throw serviceUnavailable(`no endpoints available for service ${quote(name)}`);
    for (const subset of subsets) {
      const found = items(subset, 'ports').find((one) => text(one, 'name') === portName);
      if (found === undefined) continue;
      for (const address of items(subset, 'addresses')) {
        if (!(await isOfPod(find, address, info.namespace))) continue;
        const place = { host: text(address, 'ip'), port: String(count(found, 'port')), scheme };
        return proxy(ports.backends, { request, info }, place);
      }
    }
    throw serviceUnavailable(`no endpoints available for service ${quote(info.name)}`);
  });

/** A user who can write endpoints must not make the server call any address: upstream's isValidAddress. */
async function isOfPod(find: Reader, address: JsonObject, namespace: string): Promise<boolean> {
  const target = at(address, 'targetRef');
  if (text(target, 'namespace') !== namespace) return false;
  const pod = await find('pods', text(target, 'name')).catch((error: unknown) => {
    if (error instanceof StatusError) return undefined; // not found, or no name of a pod: the next address may do
    throw error;
  });
  return pod !== undefined && items(at(pod, 'status'), 'podIPs').some((one) => text(one, 'ip') === text(address, 'ip'));
}

/** The name of the port with that number. */
async function servicePort(find: Reader, name: string, port: number): Promise<string> {
  const service = await find('services', name);
  const found = items(at(service, 'spec'), 'ports').find((one) => Number(count(one, 'port')) === port);
  if (found === undefined) throw serviceUnavailable(`no service port ${port} found for service ${quote(name)}`);
  return text(found, 'name');
}
