//! Whose machine it is, by what its firmware says of itself (DMI, as the kernel shows it in files): the cloud and its
//! type of instance, the hypervisor, or the maker and the model. Nobody is asked over the network: a cloud's metadata
//! service is left alone. What names one machine and no kind of them (serial numbers, an instance's own id) is not read.

use std::path::Path;

use results::facts::MachineFirmware;

use super::text_file::read_text_file;

/// The files that it is read from.
pub(crate) const FILES: [&str; 3] =
    ["sys/class/dmi/id/sys_vendor", "sys/class/dmi/id/product_name", "sys/class/dmi/id/chassis_asset_tag"];

/// Reads what the firmware says.
pub(super) fn read_machine_facts(root: &Path) -> Result<MachineFirmware, String> {
    let [vendor, product, tag] = FILES.map(|file| read_text_file(root, file));
    let unread = product.as_ref().or(vendor.as_ref()).err().cloned();
    let said =
        |text: Result<String, String>| text.ok().map(|text| text.trim().to_owned()).filter(|text| says_any(text));
    let machine = machine_from_firmware(said(vendor), said(product), said(tag).as_deref());
    let is_known = machine.vendor.is_some() || machine.product.is_some();
    let nothing = || unread.unwrap_or_else(|| "the firmware (DMI) reports neither manufacturer nor model".to_owned());
    is_known.then_some(machine).ok_or_else(nothing)
}

/// What makers of boards leave in where a maker of machines should have written something.
fn says_any(text: &str) -> bool {
    const FILLERS: [&str; 6] =
        ["", "default string", "none", "not specified", "system product name", "to be filled by o.e.m."];
    !FILLERS.contains(&text.to_lowercase().as_str())
}

fn machine_from_firmware(
    vendor: Option<String>,
    product: Option<String>,
    chassis_asset_tag: Option<&str>,
) -> MachineFirmware {
    let firmware = Firmware {
        vendor: vendor.as_deref().unwrap_or_default(),
        product: product.as_deref().unwrap_or_default(),
        tag: chassis_asset_tag.unwrap_or_default(),
    };
    let provider = PROVIDERS.iter().find(|(_, has_its_marks)| has_its_marks(&firmware)).map(|(name, _)| *name);
    let instance_type = product.clone().filter(|_| provider == Some(AMAZON) && firmware.vendor.starts_with(AMAZON));
    MachineFirmware { provider: provider.map(str::to_owned), instance_type, vendor, product }
}

/// What the rules look at; empty where the firmware says nothing.
struct Firmware<'a> {
    vendor: &'a str,
    product: &'a str,
    tag: &'a str,
}

const AMAZON: &str = "Amazon EC2";

/// Whether a machine's firmware has the marks of somebody.
type HasMarks = fn(&Firmware<'_>) -> bool;

/// Who runs a machine, by the marks that it leaves; the first that fits. Clouds stand before what they are made with.
const PROVIDERS: [(&str, HasMarks); 13] = [
    // Older kinds of instances call themselves Xen's, but for the tag.
    (AMAZON, |is| is.vendor.starts_with(AMAZON) || is.tag == AMAZON),
    // The same for every machine of Azure, and for no other of Hyper-V.
    ("Microsoft Azure", |is| is.tag == "7783-7084-3265-9085-8269-3286-77"),
    ("Oracle Cloud", |is| is.tag == "OracleCloud.com"),
    // Google makes notebooks, too.
    ("Google Compute Engine", |is| is.vendor == "Google" && is.product == "Google Compute Engine"),
    ("Alibaba Cloud", |is| is.vendor.starts_with("Alibaba Cloud")),
    ("DigitalOcean", |is| is.vendor == "DigitalOcean"),
    ("Hetzner Cloud", |is| is.vendor == "Hetzner"),
    ("OpenStack", |is| is.vendor.contains("OpenStack") || is.product.contains("OpenStack")),
    // Microsoft makes notebooks, too.
    ("Hyper-V", |is| is.vendor == "Microsoft Corporation" && is.product == "Virtual Machine"),
    ("VMware", |is| is.vendor.starts_with("VMware")),
    ("VirtualBox", |is| is.product == "VirtualBox"),
    ("QEMU/KVM", |is| is.vendor == "QEMU" || is.product == "KVM"),
    ("Xen", |is| is.vendor == "Xen"),
];

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_provider_is_known_by_its_marks_and_anybody_else_stands_as_the_firmware_has_it() {
        let azure = "7783-7084-3265-9085-8269-3286-77";
        for (vendor, product, tag, provider, instance_type) in [
            ("Amazon EC2", "m7g.large", "Amazon EC2", Some("Amazon EC2"), Some("m7g.large")),
            ("Amazon EC2", "m7i.metal-24xl", "", Some("Amazon EC2"), Some("m7i.metal-24xl")),
            ("Xen", "HVM domU", "Amazon EC2", Some("Amazon EC2"), None),
            ("Xen", "HVM domU", "", Some("Xen"), None),
            ("Google", "Google Compute Engine", "", Some("Google Compute Engine"), None),
            ("Google", "Eve", "", None, None),
            ("Microsoft Corporation", "Virtual Machine", azure, Some("Microsoft Azure"), None),
            ("Microsoft Corporation", "Virtual Machine", "4130-7265", Some("Hyper-V"), None),
            ("Microsoft Corporation", "Surface", "", None, None),
            ("Alibaba Cloud", "Alibaba Cloud ECS", "", Some("Alibaba Cloud"), None),
            ("OpenStack Foundation", "OpenStack Nova", "", Some("OpenStack"), None),
            ("DigitalOcean", "Droplet", "", Some("DigitalOcean"), None),
            ("Hetzner", "vServer", "", Some("Hetzner Cloud"), None),
            ("QEMU", "Standard PC (Q35 + ICH9, 2009)", "OracleCloud.com", Some("Oracle Cloud"), None),
            ("QEMU", "Standard PC (Q35 + ICH9, 2009)", "", Some("QEMU/KVM"), None),
            ("Red Hat", "KVM", "", Some("QEMU/KVM"), None),
            ("VMware, Inc.", "VMware7,1", "No Asset Tag", Some("VMware"), None),
            ("innotek GmbH", "VirtualBox", "", Some("VirtualBox"), None),
            ("Dell Inc.", "PowerEdge R640", "", None, None),
        ] {
            let found = machine_from_firmware(Some(vendor.to_owned()), Some(product.to_owned()), Some(tag));
            let expected = (provider, instance_type, Some(vendor), Some(product));
            let found = (
                found.provider.as_deref(),
                found.instance_type.as_deref(),
                found.vendor.as_deref(),
                found.product.as_deref(),
            );
            assert_eq!(found, expected, "{vendor}, {product}");
        }
    }

    #[test]
    fn a_machine_that_names_nothing_is_a_gap() {
        let root = tempfile::tempdir().unwrap();
        assert!(read_machine_facts(root.path()).unwrap_err().starts_with("/sys/class/dmi/id/sys_vendor: "));
        fs::create_dir_all(root.path().join("sys/class/dmi/id")).unwrap();
        let write = |file: &str, text: &str| fs::write(root.path().join(file), text).unwrap();
        write(FILES[0], "To Be Filled By O.E.M.\n");
        write(FILES[1], "Default string\n");
        assert_eq!(
            read_machine_facts(root.path()),
            Err("the firmware (DMI) reports neither manufacturer nor model".to_owned())
        );
        write(FILES[1], "X11DPi-N\n");
        let expected = MachineFirmware { product: Some("X11DPi-N".to_owned()), ..MachineFirmware::default() };
        assert_eq!(read_machine_facts(root.path()), Ok(expected));
    }
}
