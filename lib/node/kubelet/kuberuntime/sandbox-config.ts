import type { Pod } from '#lib/api/types/core.v1.ts';
import {
  type LinuxPodSandboxConfig,
  LinuxSandboxSecurityContext,
  PodSandboxConfig,
} from '#lib/node/cri-api/generated/runtime-v1.ts';
import { containersOf } from '#lib/server/registry/kinds/core/pod/validation/visit.ts';
import { makePortMappings } from '../container/port-mappings.ts';
import type { RuntimeHelper } from '../container/runtime.ts';
import { nodenameForKernel } from '../kubelet-pods/hostname.ts';
import type { ConfigSettings } from './config-settings.ts';
import { newPodAnnotations, newPodLabels } from './labels.ts';
import { overheadResources, sandboxResources } from './linux-resources.ts';
import { podLogsDirectory } from './log-paths.ts';
import { namespacesForPod } from './namespaces.ts';
import { groupsPolicy, int64Value, selinuxOption } from './security-context.ts';
import { RUNTIME_DEFAULT } from './security-profiles.ts';

/** The ports for a sandbox's config. */
export interface SandboxConfigPorts {
  readonly helper: RuntimeHelper;
  readonly settings: ConfigSettings;
}

/**
 * The config of a pod's sandbox (upstream: generatePodSandboxConfig). `attempt` is the number of earlier sandboxes. Rejects with upstream's
 * text if the pod cannot have a sandbox: because of a name that is too long, a user namespace, or an unknown policy.
 */
export async function generatePodSandboxConfig(
  pod: Pod,
  attempt: number,
  { helper, settings }: SandboxConfigPorts,
): Promise<PodSandboxConfig> {
  const { name = '', namespace = '', uid = '' } = pod.metadata;
  return {
    metadata: { name, namespace, uid, attempt },
    labels: newPodLabels(pod),
    annotations: newPodAnnotations(pod),
    dnsConfig: await helper.podDNS(pod),
    hostname: hostnameOf(pod, helper),
    logDirectory: podLogsDirectory(settings.podLogsRoot, namespace, name, uid),
    portMappings: (pod.spec.containers ?? []).flatMap(makePortMappings),
    linux: {
      ...linuxConfig(pod, helper),
      resources: sandboxResources(pod, settings),
      overhead: overheadResources(pod, settings),
    },
    windows: undefined,
  };
}

/** The hostname inside the pod. On the host's network it is the host's own. */
function hostnameOf(pod: Pod, helper: RuntimeHelper): string {
  if (pod.spec.hostNetwork === true) return '';
  const { hostname, domain } = helper.hostnameAndDomain(pod);
  return nodenameForKernel(hostname, domain, pod.spec.setHostnameAsFQDN === true);
}

function linuxConfig(pod: Pod, helper: RuntimeHelper): Omit<LinuxPodSandboxConfig, 'resources' | 'overhead'> {
  const asked = pod.spec.securityContext?.sysctls ?? [];
  const sysctls = Object.fromEntries(asked.map(({ name, value }) => [name, value]));
  return { cgroupParent: helper.podCgroupParent(pod), securityContext: securityContext(pod, helper), sysctls };
}

function securityContext(pod: Pod, helper: RuntimeHelper): LinuxSandboxSecurityContext {
  const base = {
    privileged: containersOf(pod.spec).some((container) => container.securityContext?.privileged === true),
    seccomp: RUNTIME_DEFAULT,
  };
  const whole = pod.spec.securityContext;
  if (whole === undefined) return LinuxSandboxSecurityContext.fromPartial(base);
  const groups = [whole.fsGroup, ...helper.extraSupplementalGroups(pod), ...(whole.supplementalGroups ?? [])];
  return {
    ...LinuxSandboxSecurityContext.fromPartial(base),
    runAsUser: int64Value(whole.runAsUser),
    runAsGroup: int64Value(whole.runAsGroup),
    namespaceOptions: namespacesForPod(pod, helper),
    supplementalGroups: groups.flatMap((group) => (group === undefined ? [] : [BigInt(group)])),
    supplementalGroupsPolicy: groupsPolicy(whole),
    selinuxOptions: selinuxOption(whole.seLinuxOptions),
  };
}
