import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import {
  ContainerConfig,
  ImageSpec,
  type LinuxContainerConfig,
  Mount,
  NamespaceMode,
} from '#lib/node/cri-api/generated/runtime-v1.ts';
import { expandCommandAndArgs } from '../container/expand.ts';
import type { RunContainerOptions } from '../container/runtime.ts';
import { bytesOfText } from '../util/byte-text.ts';
import { newContainerAnnotations, newContainerLabels } from './labels.ts';
import { containerLinuxResources } from './linux-resources.ts';
import { containerLogPath } from './log-paths.ts';
import { containerSecurityContext, type SecurityPorts, verifyRunAsNonRoot } from './security-context.ts';

/** The inputs of a container's config in addition to container and pod. */
export interface ContainerConfigRequest extends SecurityPorts {
  readonly restartCount: number;
  /** The runtime's reference of the pulled image. */
  readonly imageRef: string;
  readonly options: RunContainerOptions;
  /** The container whose processes are visible to an ephemeral container. */
  readonly targetContainerID?: string;
  /** The host file for the termination message. Absent without `terminationMessagePath`, or if the file could not be created. */
  readonly terminationLog?: string;
}

/**
 * The config of a container (upstream: generateContainerConfig). Throws Error with the message for `CreateContainerConfigError` if the
 * container violates runAsNonRoot or needs an unsupported runtime feature. The stop signal comes from the image, because the gate
 * ContainerStopSignals is off.
 */
export function generateContainerConfig(
  container: Container,
  pod: Pod,
  request: ContainerConfigRequest,
): ContainerConfig {
  const { restartCount, imageRef, options, user } = request;
  verifyRunAsNonRoot(pod, container, user);
  return ContainerConfig.fromPartial({
    metadata: { name: container.name, attempt: restartCount },
    image: ImageSpec.fromPartial({ image: imageRef, userSpecifiedImage: container.image ?? '' }),
    ...expandCommandAndArgs(container, options.envs),
    workingDir: container.workingDir ?? '',
    labels: newContainerLabels(container, pod),
    annotations: newContainerAnnotations(container, pod, { restartCount, extra: options.annotations }),
    devices: options.devices.map(({ pathOnHost, pathInContainer, permissions }) => ({
      hostPath: pathOnHost,
      containerPath: pathInContainer,
      permissions,
    })),
    CDIDevices: options.cdiDevices.map((name) => ({ name })),
    mounts: mountsOf(container, request),
    logPath: containerLogPath(container.name, restartCount),
    stdin: container.stdin === true,
    stdinOnce: container.stdinOnce === true,
    tty: container.tty === true,
    linux: linuxConfig(container, pod, request),
    envs: options.envs.map(({ name, value }) => ({ key: name, value: bytesOfText(value) })),
  });
}

/** An absolute path in a container (upstream: MakeAbsolutePath). */
export const absolutePath = (path: string): string => (path.startsWith('/') ? path : `/${path}`);

function mountsOf(
  { terminationMessagePath = '' }: Container,
  { options, settings, terminationLog }: ContainerConfigRequest,
): Mount[] {
  const mounts = options.mounts.map((mount) =>
    Mount.fromPartial({
      hostPath: mount.hostPath,
      containerPath: mount.containerPath,
      readonly: mount.readOnly,
      selinuxRelabel: mount.selinuxRelabel === true && settings.selinuxEnabled,
      propagation: mount.propagation ?? 0,
      recursiveReadOnly: mount.recursiveReadOnly === true,
      ...(mount.image === undefined ? {} : { image: mount.image }),
      imageSubPath: mount.imageSubPath ?? '',
    }),
  );
  if (terminationLog === undefined || terminationMessagePath === '') return mounts;
  const log = Mount.fromPartial({
    hostPath: terminationLog,
    containerPath: absolutePath(terminationMessagePath),
    selinuxRelabel: settings.selinuxEnabled,
  });
  return [...mounts, log];
}

function linuxConfig(container: Container, pod: Pod, request: ContainerConfigRequest): LinuxContainerConfig {
  const security = containerSecurityContext(pod, container, request);
  const { targetContainerID } = request;
  const { namespaceOptions } = security;
  const targeted =
    targetContainerID === undefined || namespaceOptions?.pid !== NamespaceMode.CONTAINER
      ? namespaceOptions
      : { ...namespaceOptions, pid: NamespaceMode.TARGET, targetId: targetContainerID };
  return {
    resources: containerLinuxResources(pod, container, request.settings),
    securityContext: { ...security, namespaceOptions: targeted },
  };
}
