import type { Pod, Service } from '#lib/api/types/core.v1.ts';
import { joinHostPort } from '#lib/machinery/net/host-port.ts';
import type { EnvVar } from '../container/runtime.ts';

const hasClusterIP = ({ spec: { clusterIP = '' } }: Service): boolean => clusterIP !== '' && clusterIP !== 'None';

const nameOf = ({ metadata: { name = '' } }: Service): string => name;

const variableName = (text: string): string => text.replaceAll('-', '_').toUpperCase();

/**
 * The service variables of a pod: those of its namespace if service links are enabled. It always gets those of `kubernetes` in the
 * namespace `default`, unless its own namespace has a service with that name (upstream: getServiceEnvVarMap).
 */
export function serviceVariables({ metadata, spec }: Pod, services: readonly Service[]): ReadonlyMap<string, string> {
  const known = services.filter(hasClusterIP);
  const isApi = (service: Service): boolean =>
    service.metadata.namespace === 'default' && nameOf(service) === 'kubernetes';
  const isLinked = (service: Service): boolean =>
    spec.enableServiceLinks === true && service.metadata.namespace === metadata.namespace && !isApi(service);
  const chosen = new Map(
    [...known.filter(isApi), ...known.filter(isLinked)].map((service): [string, Service] => [nameOf(service), service]),
  );
  const variables = [...chosen].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, service]) => fromService(service));
  return new Map(variables.map(({ name, value }) => [name, value]));
}

/** The variables of a service: its host and ports, and those in the format of Docker links (upstream: envvars.FromServices). */
function fromService(service: Service): EnvVar[] {
  const { clusterIP = '', ports = [] } = service.spec;
  const prefix = variableName(nameOf(service));
  const [first] = ports;
  if (first === undefined) return [];
  return [
    { name: `${prefix}_SERVICE_HOST`, value: clusterIP },
    { name: `${prefix}_SERVICE_PORT`, value: String(first.port) },
    ...ports.flatMap(({ name = '', port }) =>
      name === '' ? [] : [{ name: `${prefix}_SERVICE_PORT_${variableName(name)}`, value: String(port) }],
    ),
    ...linkVariables(service, prefix),
  ];
}

function linkVariables({ spec: { clusterIP = '', ports = [] } }: Service, prefix: string): EnvVar[] {
  return ports.flatMap(({ port, protocol = 'TCP' }, i) => {
    const scheme = protocol.toLowerCase();
    const url = `${scheme}://${joinHostPort(clusterIP, port)}`;
    const name = `${prefix}_PORT_${port}_${protocol.toUpperCase()}`;
    return [
      ...(i === 0 ? [{ name: `${prefix}_PORT`, value: url }] : []),
      { name, value: url },
      { name: `${name}_PROTO`, value: scheme },
      { name: `${name}_PORT`, value: String(port) },
      { name: `${name}_ADDR`, value: clusterIP },
    ];
  });
}
