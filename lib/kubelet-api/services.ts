import type { ServiceClient } from '#lib/machinery/rpc.ts';
import type { DevicePluginDefinition } from './generated/deviceplugin-v1beta1.ts';
import type { DRAPluginDefinition } from './generated/dra-v1.ts';
import type { RegistrationDefinition } from './generated/pluginregistration-v1.ts';

/** A device plugin v1beta1: the kubelet is its client. */
export type DevicePlugin = ServiceClient<DevicePluginDefinition>;
/** A driver of dynamic resource allocation v1: the kubelet is its client. */
export type DRAPlugin = ServiceClient<DRAPluginDefinition>;
/** A plugin's answer about itself, on its socket in `plugins_registry`. */
export type PluginRegistration = ServiceClient<RegistrationDefinition>;
