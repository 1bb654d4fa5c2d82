/** The DeviceClasses of the machines' drivers, and those that administrators add. */
import { deviceClass } from './device_objects.js';

/** @param {string} driver */
function isOf(driver) {
  return `device.driver == '${driver}'`;
}

/** @param {string} type */
function isNvidia(type) {
  return `${isOf('gpu.nvidia.com')} && device.attributes['gpu.nvidia.com'].type == '${type}'`;
}

/** @param {string} type */
function isComputeDomain(type) {
  const attributes = "device.attributes['compute-domain.nvidia.com']";
  return `${isOf('compute-domain.nvidia.com')} && ${attributes}.type == '${type}'`;
}

const SRIOV = 'sriovnetwork.k8snetworkplumbingwg.io';

/** @param {number} port */
function sriovPort(port) {
  const name = `device.attributes["${SRIOV}"].resourceName == "port${port}-vfs"`;
  return deviceClass(`sriov-port${port}`, `${isOf(SRIOV)} && ${name}`, {
    config: [{ opaque: { driver: SRIOV, parameters: { kind: 'VfConfig', port } } }],
    extendedResourceName: `example.com/sriov-port${port}`,
  });
}

export const DEVICE_CLASSES = Object.freeze([
  deviceClass('gpu.nvidia.com', isNvidia('gpu')),
  deviceClass('mig.nvidia.com', isNvidia('mig')),
  deviceClass('vfio.gpu.nvidia.com', isNvidia('vfio')),
  deviceClass(
    'mig-1g-12gb.gpu.nvidia.com',
    `${isNvidia('mig')} && device.attributes['gpu.nvidia.com'].profile == '1g.12gb'`,
    { extendedResourceName: 'nvidia.com/mig-1g.12gb' },
  ),
  deviceClass(
    'compute-domain-default-channel.nvidia.com',
    `${isComputeDomain('channel')} && device.attributes['compute-domain.nvidia.com'].id == 0`,
  ),
  deviceClass('compute-domain-daemon.nvidia.com', isComputeDomain('daemon')),
  deviceClass('dranet.net', isOf('dra.net')),
  // One selector for each condition; the second is evaluated on the devices that the first accepts.
  deviceClass('rdma-net', [isOf('dra.net'), 'device.attributes["dra.net"].rdma']),
  deviceClass(
    'efa.networking.k8s.aws',
    `${isOf('dra.net')} &&\ndevice.attributes["dra.net"].pciDevice == ` +
      "'Elastic Fabric Adapter (EFA)'",
  ),
  deviceClass('gpu.amd.com', isOf('gpu.amd.com')),
  deviceClass('gpu.intel.com', isOf('gpu.intel.com')),
  deviceClass('gpu-vfio.intel.com', [
    isOf('gpu.intel.com'),
    `device.attributes["gpu.intel.com"].driver == 'vfio-pci' || ` +
      `device.attributes["gpu.intel.com"].driver == 'xe-vfio-pci'`,
  ]),
  deviceClass('gaudi.intel.com', isOf('gaudi.intel.com')),
  deviceClass('qat.intel.com', isOf('qat.intel.com')),
  deviceClass(SRIOV, isOf(SRIOV)),
  sriovPort(1),
  sriovPort(2),
  deviceClass('dra.cpu', isOf('dra.cpu')),
  deviceClass('gpu.example.com', isOf('gpu.example.com'), {
    extendedResourceName: 'example.com/gpu',
  }),
  deviceClass('cpu.example.com', isOf('cpu.example.com')),
  deviceClass('net.example.com', isOf('net.example.com')),
]);
