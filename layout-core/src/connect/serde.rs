//! serde (feature `serde`) of tensors: the descriptor's text and the elements in row-major logical order, without padding, so
//! that a tensor written in one layout can be read in another. Descriptors alone are in the room `descriptor`.

use crate::descriptor::{Descriptor, Element};
use crate::layout::Layout;
use crate::shape::{IndexArray, Shape};
use crate::view::{StridedView, Tensor, TensorView, View};
use ::serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use ::serde::ser::{Error as _, Serialize, SerializeStruct, Serializer};
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

const NAME: &str = "Tensor";
const FIELDS: &[&str] = &["tensor", "elements"];

/// The elements of a view, as a sequence.
struct Elements<'a, T, L: Layout>(StridedView<'a, T, L>);

impl<T: Serialize, L: Layout> Serialize for Elements<'_, T, L> {
    fn serialize<Se: Serializer>(&self, serializer: Se) -> Result<Se::Ok, Se::Error> {
        serializer.collect_seq(self.0.iter())
    }
}

fn serialize<V, Se>(view: &V, serializer: Se) -> Result<Se::Ok, Se::Error>
where
    V: View<Elem: Element + Serialize>,
    Se: Serializer,
{
    let descriptor = view.descriptor_of(V::Elem::DTYPE).map_err(Se::Error::custom)?;
    let mut fields = serializer.serialize_struct(NAME, FIELDS.len())?;
    fields.serialize_field(FIELDS[0], &descriptor)?;
    fields.serialize_field(FIELDS[1], &Elements(view.as_strided_view()))?;
    fields.end()
}

macro_rules! serialize {
    ($($name:ident<$($life:lifetime,)? T, L, S>;)*) => {$(
        /// A structure of `tensor`, such as `f32:nChw16c:2x17x5x4`, and `elements`, in row-major logical order.
        #[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
        impl<$($life,)? T: Element + Serialize, L: Layout, S: Shape<L::Index>> Serialize for $name<$($life,)? T, L, S> {
            fn serialize<Se: Serializer>(&self, serializer: Se) -> Result<Se::Ok, Se::Error> {
                serialize(self, serializer)
            }
        }
    )*};
}
serialize! {
    StridedView<'a, T, L, S>;
    TensorView<'a, T, L, S>;
    Tensor<T, L, S>;
}

/// From what [`Serialize`] writes, of any layout with the same axes and the same data type; anything else is an error.
///
/// ```
/// use layout_core::layout::{Nchw8c, Nhwc};
/// use layout_core::view::Tensor;
///
/// let blocked = Tensor::<f32, Nchw8c>::from_logical([1, 2, 1, 2], &[1.0, 2.0, 3.0, 4.0])?;
/// let text = serde_json::to_string(&blocked)?;
/// assert_eq!(text, r#"{"tensor":"f32:nChw8c:1x2x1x2","elements":[1.0,2.0,3.0,4.0]}"#);
/// // Read in another layout of the same axes.
/// let pixels: Tensor<f32, Nhwc> = serde_json::from_str(&text)?;
/// assert_eq!(pixels.as_slice(), [1.0, 3.0, 2.0, 4.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl<'de, T, L> Deserialize<'de> for Tensor<T, L>
where
    T: Element + Default + Deserialize<'de>,
    L: Layout,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct(NAME, FIELDS, Fields(PhantomData))
    }
}

struct Fields<T, L>(PhantomData<(T, L)>);

impl<'de, T, L> Visitor<'de> for Fields<T, L>
where
    T: Element + Default + Deserialize<'de>,
    L: Layout,
{
    type Value = Tensor<T, L>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a tensor: its descriptor and its elements")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
        let descriptor: Descriptor =
            fields.next_element()?.ok_or_else(|| A::Error::missing_field(FIELDS[0]))?;
        let elements: Vec<T> = fields.next_element()?.ok_or_else(|| A::Error::missing_field(FIELDS[1]))?;
        tensor(&descriptor, &elements)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
        let (mut descriptor, mut elements) = (None::<Descriptor>, None::<Vec<T>>);
        while let Some(name) = fields.next_key::<Field>()? {
            match name {
                Field::Tensor if descriptor.is_none() => descriptor = Some(fields.next_value()?),
                Field::Elements if elements.is_none() => elements = Some(fields.next_value()?),
                Field::Tensor => return Err(A::Error::duplicate_field(FIELDS[0])),
                Field::Elements => return Err(A::Error::duplicate_field(FIELDS[1])),
            }
        }
        let descriptor = descriptor.ok_or_else(|| A::Error::missing_field(FIELDS[0]))?;
        tensor(&descriptor, &elements.ok_or_else(|| A::Error::missing_field(FIELDS[1]))?)
    }
}

enum Field {
    Tensor,
    Elements,
}

impl<'de> Deserialize<'de> for Field {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;
        impl Visitor<'_> for Name {
            type Value = Field;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("`tensor` or `elements`")
            }
            fn visit_str<E: Error>(self, name: &str) -> Result<Field, E> {
                match name {
                    "tensor" => Ok(Field::Tensor),
                    "elements" => Ok(Field::Elements),
                    _ => Err(E::unknown_field(name, FIELDS)),
                }
            }
        }
        deserializer.deserialize_identifier(Name)
    }
}

fn tensor<T: Element + Default, L: Layout, E: Error>(
    descriptor: &Descriptor,
    elements: &[T],
) -> Result<Tensor<T, L>, E> {
    let spec = descriptor.spec();
    let axes = L::AXES.iter().enumerate().all(|(axis, &name)| spec.axis_name(axis) == Some(name));
    if descriptor.dtype() != T::DTYPE || descriptor.rank() != L::RANK || !axes {
        return Err(E::custom(format_args!(
            "`{descriptor}` cannot be read as {} in layout `{}`: another data type, or other axes",
            T::DTYPE,
            L::SPEC
        )));
    }
    let mut dims = L::Index::ZERO;
    dims.as_mut().copy_from_slice(descriptor.dims());
    Tensor::from_logical(dims, elements).map_err(E::custom)
}
